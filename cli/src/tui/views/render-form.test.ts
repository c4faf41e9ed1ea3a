import { describe, expect, test } from 'vitest';
import { optionalField as field } from '../../../test/optional-field.ts';
import { testContext, testRenderContext } from '../../../test/start-test-tui.tsx';
import { testDriver } from '../../../test/tui-state.ts';
import { fieldHint } from '../form/form-document.ts';
import { fieldOptions, parseFieldTexts, toFieldTexts } from '../form/form-fields.ts';
import { applyTextKey, createTextInput } from '../form/text-input.ts';
import type { ResourceAction } from '../state/resource-actions.ts';
import type { State } from '../state/state.ts';
import type { RenderContext } from './render-context.ts';
import { formHint, renderForm } from './render-form.ts';

const context = await testContext();
const { t } = context;
const render: RenderContext = {
  ...(await testRenderContext(context)),
  paint: (style, text) => `{${style}}${text}{}`,
};
const { apply, begin, press } = testDriver(context);

const bodyFields = {
  displayName: field('text', { required: true }),
  status: field('choice', { options: ['incident', 'odd-word'] }),
  password: field('secret'),
  thresholds: field('object', { fields: { warning: field('integer', { min: 1, max: 9 }) } }),
};
const opened = (base: Record<string, unknown> = {}, size: Partial<State['size']> = {}) =>
  apply(begin(size), {
    type: 'form',
    request: {
      ...{ act: 'form', serial: 1, resource: 'scope' },
      action: {
        ...{ name: 'edit', resource: 'scope', operation: 'edit', permission: 'alerthub:scopes:update' },
        bodyFields,
      } as unknown as ResourceAction,
      subject: { id: 's', params: {}, title: 'web', row: undefined },
    },
    base: base as never,
    etag: undefined,
  });
const form = (state: State) => {
  if (state.overlay?.kind !== 'form') throw new Error('no form');
  return state.overlay;
};
const shown = (state: State) => {
  const { lines, cursor } = renderForm(state, form(state), render);
  return { lines: lines.map((line) => line.trimEnd()), cursor };
};

describe('a form', () => {
  test('has a line for each field with its label, and the cursor in the edited text', () => {
    const { lines, cursor } = shown(opened({ displayName: 'web', status: 'incident', password: 'abc' }));
    const width = `${t('label.displayName')} *`.length;
    expect(lines[0]).toMatch(/^\{bold\}> Name \* +web/);
    expect(lines[1]).toMatch(new RegExp(`^ {2}Status +${t('value.incident')}$`));
    expect(lines[2]).toMatch(/^ {2}\S.* •••$/);
    expect(lines[3]).toMatch(/^ {4}\S/);
    expect(lines[4]).toBe(`  [ ${t('tui.form.send')} ]`);
    expect(cursor!.row).toBe(0);
    expect(cursor!.column).toBeGreaterThanOrEqual(2 + width + 2 + 3);
  });

  test('has choices with signs at their sides, and words where there are some', () => {
    const state = press(opened({ status: 'odd-word' }), 'down');
    expect(shown(state).lines[1]).toMatch(/^\{inverse\}> Status +‹ odd-word ›/);
    expect(shown(state).cursor).toBeUndefined();
    expect(shown(press(state, 'right')).lines[1]).toContain(`‹ ${t('tui.form.none')} ›`);
  });

  test('never shows a secret, also while it is typed', () => {
    const { lines, cursor } = shown(press(opened(), 'down', 'down', ...'abc', 'left'));
    expect(lines.join('\n')).not.toContain('abc');
    expect(lines[2]).toContain('•••');
    expect(cursor!.row).toBe(2);
  });

  test('has the button last, which says when the form is sent', () => {
    expect(shown(press(opened(), 'page-down')).lines[4]).toMatch(/^\{inverse\}> \[/);
    expect(shown(press(opened(), 'ctrl-s')).lines.join()).toContain(`[ ${t('tui.form.sending')} ]`);
  });

  test('has errors below their fields, and the others above the button', () => {
    const sent = press(opened(), 'ctrl-s');
    const refused = apply(sent, {
      ...{ type: 'mistakes', serial: sent.request!.serial },
      errors: [
        { path: 'displayName', reason: 'is\ntaken' },
        { path: 'status.0', reason: 'of a part' },
        { path: 'thresholds.warning', reason: 'too low' },
        { path: 'elsewhere.remarks', reason: 'unknown' },
        { path: '', reason: 'as a whole' },
      ],
    });
    const { lines } = shown(refused);
    expect(lines[1]).toMatch(/^\{danger\} {2}! is taken/);
    expect(lines[3]).toMatch(/^\{danger\} {2}! of a part/);
    expect(lines[6]).toMatch(/^\{danger\} {2}! too low/);
    expect(lines[7]).toContain(`! ${t('label.remarks')}: unknown`);
    expect(lines[8]).toMatch(/^\{danger\} {2}! as a whole/);
    expect(lines[9]).toContain(t('tui.form.send'));
  });

  test('is moved so that the field under the cursor is seen', () => {
    const low = press(opened({}, { rows: 5 }), 'page-down');
    const { lines } = shown(low);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toContain(t('tui.form.send'));
  });
});

describe('the hint', () => {
  test('says where a name will do in place of an ID', () => {
    const reference = field('reference', { resource: 'guidance' });
    expect(fieldHint(reference, t, true)).toBe(t('tui.kind.reference-or-name'));
    expect(fieldHint({ ...reference, resourceBy: 'kind' }, t, true)).toBe(t('tui.kind.reference'));
    // The text for an editor is sent as it is.
    expect(fieldHint(reference, t)).toBe(t('tui.kind.reference'));
  });

  test.each([
    [field('choice', { options: ['a', 'b'] }), 'a | b'],
    [field('list', { item: field('choice', { options: ['a', 'b'] }) }), '[a | b]'],
    [
      field('integer', { min: 1, max: 9, required: true }),
      `${t('tui.kind.integer')}; 1–9; ${t('tui.kind.required')}`,
    ],
    [field('integer', { min: 1 }), t('tui.kind.integer')],
    [field('text', { min: 1, max: 9 }), t('tui.kind.text')],
    [field('object', { fields: { a: field('text'), b: field('text') } }), `${t('tui.kind.object')}; {a, b}`],
  ])('of %j is %s', (meta, expected) => expect(fieldHint(meta, t)).toBe(expected));

  test('tells the permission at the button, and asks before what was typed is left', () => {
    const hint = (state: State) => formHint(form(state), t);
    expect(hint(opened())).toBe(fieldHint(bodyFields.displayName, t));
    expect(hint(press(opened(), 'page-down'))).toBe(
      t('tui.form.permission', { permission: 'alerthub:scopes:update' }),
    );
    expect(hint(press(opened(), 'x', 'escape'))).toBe(t('tui.form.leave'));
    expect(hint(opened({ displayName: 'x'.repeat(501) }))).toContain(t('tui.form.long'));
    expect(hint(press(opened(), 'down'))).not.toContain(t('tui.form.long'));
  });
});

describe('the texts of a form', () => {
  test.each([
    [field('text', { default: 'x' }), '', ''],
    [field('text'), '', undefined],
    [field('text', { nullable: true }), '', null],
    [field('choice', { options: ['a'], default: 'a' }), '', undefined],
    [field('number'), ' 2.5 ', 2.5],
    [field('number'), ' ', ' '],
    [field('number'), 'many', 'many'],
    [field('seconds'), ' 5m ', 300],
    [field('boolean'), 'false', false],
    [field('long-text'), 'a\\nb\\\\n', 'a\nb\\n'],
  ])('%j with %j is %j', (meta, text, expected) => {
    const { body } = parseFieldTexts({ one: meta }, { one: text }, JSON.parse);
    expect(body.one).toEqual(expected);
    expect('one' in body).toBe(expected !== undefined);
  });

  test('are those of the item, of defaults, and of the chosen variant', () => {
    const fields = {
      kind: field('choice', { options: ['a', 'b'], required: true }),
      parameters: field('variant', {
        by: 'kind',
        required: true,
        variants: { a: { x: field('text') }, b: { y: field('integer', { default: 3 }) } },
      }),
      json: field('json'),
    };
    expect(toFieldTexts(fields, { kind: 'a', parameters: { x: 'one' }, json: 'text' })).toEqual({
      ...{ kind: 'a', 'parameters.x': 'one', json: '"text"' },
    });
    expect(toFieldTexts(fields, { kind: 'b' })).toEqual({ kind: 'b', 'parameters.y': '3' });
    expect(parseFieldTexts(fields, { kind: 'b', 'parameters.y': '4' }, JSON.parse).body).toEqual({
      ...{ kind: 'b', parameters: { y: 4 } },
    });
  });

  test.each([
    [field('boolean'), ['', 'true', 'false']],
    [field('choice', { options: ['a'], required: true }), ['a']],
  ])('the options of %j are %j', (meta, expected) => expect(fieldOptions(meta)).toEqual(expected));

  test('have at most 500 characters; what does not fit is left out as a whole', () => {
    const full = createTextInput('x'.repeat(499));
    expect(applyTextKey(full, 'a').text).toHaveLength(500);
    expect(applyTextKey(full, '🙂').text).toBe(full.text);
    expect(applyTextKey(applyTextKey(full, 'a'), 'b').text).toHaveLength(500);
  });
});
