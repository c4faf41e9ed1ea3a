import { describe, expect, test } from 'vitest';
import { optionalField as field } from '../../../test/optional-field.ts';
import { testContext } from '../../../test/start-test-tui.tsx';
import { testDriver } from '../../../test/tui-state.ts';
import type { ResourceAction } from '../state/resource-actions.ts';
import type { State } from '../state/state.ts';
import { type FormOverlay, isTypable } from './handle-form-key.ts';

const context = await testContext();
const { apply, begin, press } = testDriver(context);

const bodyFields = {
  displayName: field('text', { required: true }),
  kind: field('choice', { required: true, options: ['email', 'webhook', 'exec'] }),
  disabled: field('boolean'),
};
const request = {
  act: 'form',
  serial: 1,
  resource: 'scope',
  action: { name: 'edit', resource: 'scope', operation: 'edit', bodyFields } as unknown as ResourceAction,
  subject: { id: 's', params: {}, title: 'web', row: undefined },
} as const;
const base = { displayName: 'web', kind: 'email' };
const opened = apply(begin(), { type: 'form', request, base, etag: '"1"' });
const form = (state: State) => {
  if (state.overlay?.kind !== 'form') throw new Error('no form');
  return state.overlay;
};
const texts = (state: State) => form(state).texts;

describe('the fields of a form', () => {
  test('are gone through, and end at the button', () => {
    const at = (...keys: string[]) => form(press(opened, ...keys)).fieldIndex;
    expect(at()).toBe(0);
    for (const key of ['down', 'tab', 'wheel-down', 'enter']) expect(at(key)).toBe(1);
    for (const key of ['up', 'shift-tab', 'wheel-up']) expect(at('page-down', key)).toBe(2);
    expect(at('page-down')).toBe(3);
    expect(at('page-down', 'down')).toBe(3);
    expect(at('up')).toBe(0);
    expect(at('page-down', 'page-up')).toBe(0);
  });

  test('have their text under the cursor', () => {
    expect(form(opened).input).toEqual({ text: 'web', at: 3 });
    expect(form(press(opened, 'down')).input.text).toBe('email');
    expect(form(press(opened, 'page-down')).input.text).toBe('');
  });
});

describe('a text', () => {
  test('is changed by typing, which takes its error away', () => {
    const sent = press(opened, 'ctrl-s');
    const refused = apply(sent, {
      type: 'mistakes',
      serial: sent.request!.serial,
      errors: [
        { path: 'displayName', reason: 'taken' },
        { path: 'kind', reason: 'unknown' },
      ],
    });
    expect(form(refused)).toMatchObject({ fieldIndex: 0, errors: [{}, {}] });
    expect(form(press(refused, 'left')).errors).toHaveLength(2);
    const typed = form(press(refused, '!'));
    expect(typed).toMatchObject({ texts: { displayName: 'web!' }, changed: true });
    expect(typed.errors.map(({ path }) => path)).toEqual(['kind']);
  });

  test('is not changed by keys that change nothing', () => {
    expect(press(opened, 'f1').overlay).toBe(opened.overlay);
    expect(form(press(opened, 'left', 'right')).changed).toBe(false);
  });

  test('on the button goes nowhere', () => {
    const button = press(opened, 'page-down');
    expect(press(button, 'x').overlay).toBe(button.overlay);
  });

  test.each([
    [500, true],
    [501, false],
  ])('of %i characters can be typed: %s', (length, expected) => {
    const line = { path: 'a', name: 'a', depth: 0, meta: field('text'), text: 'x'.repeat(length) };
    expect(isTypable(line)).toBe(expected);
    expect(isTypable({ ...line, meta: field('boolean') })).toBe(false);
    expect(isTypable(undefined)).toBe(false);
  });
});

describe('a choice', () => {
  test.each([
    [['right'], 'webhook'],
    [['space', 'space'], 'exec'],
    [['right', 'right', 'right'], 'email'],
    [['left'], 'exec'],
    [['w'], 'webhook'],
    [['e'], 'exec'],
    [['e', 'e'], 'email'],
    [['z'], 'email'],
    [['home'], 'email'],
  ])('after %j is %s', (keys, expected) => {
    const state = press(opened, 'down', ...keys);
    expect(texts(state).kind).toBe(expected);
    expect(form(state).changed).toBe(!['z', 'home'].includes(keys[0]!));
  });

  test('that is not required can be empty', () => {
    const at = press(opened, 'down', 'down');
    expect(texts(press(at, 'right')).disabled).toBe('true');
    expect(texts(press(at, 'left', 'right')).disabled).toBe('');
    expect(texts(press(at, 'f')).disabled).toBe('false');
  });
});

describe('a form', () => {
  const submission = { act: 'submit', resource: 'scope', base, etag: '"1"', subject: { id: 's' } };

  test.each([
    ['ctrl-s anywhere', ['!', 'ctrl-s']],
    ['Enter on the button', ['!', 'page-down', 'enter']],
  ])('is sent by %s', (_what, keys) => {
    const state = press(opened, ...keys);
    expect(state.request).toMatchObject({ ...submission, texts: { displayName: 'web!' } });
    expect(form(state).submitting).toBe(true);
    // Until the answer arrives no key does anything.
    expect(press(state, 'escape', 'x', 'ctrl-s')).toEqual(state);
  });

  test('goes on in the editor with what was typed', () => {
    expect(press(opened, '!', 'ctrl-o')).toMatchObject({
      overlay: undefined,
      request: { act: 'edit', resource: 'scope', texts: { displayName: 'web!' }, subject: { id: 's' } },
    });
  });

  test('is closed by one Escape when nothing was typed, else by two in a row', () => {
    expect(press(opened, 'escape').overlay).toBeUndefined();
    const asked = press(opened, '!', 'escape');
    expect(form(asked)).toMatchObject({ confirmingClose: true, texts: { displayName: 'web!' } });
    expect(press(asked, 'escape').overlay).toBeUndefined();
    for (const key of ['x', 'down', 'ctrl-s'])
      expect((press(asked, key).overlay as FormOverlay).confirmingClose).toBe(false);
  });

  test('with an error of no field has the cursor on the button, else on the first field with one', () => {
    const sent = press(opened, 'ctrl-s');
    const refused = (...paths: string[]) =>
      form(
        apply(sent, {
          type: 'mistakes',
          serial: sent.request!.serial,
          errors: paths.map((path) => ({ path, reason: 'no' })),
        }),
      );
    expect(refused('').fieldIndex).toBe(3);
    expect(refused('', 'disabled', 'kind').fieldIndex).toBe(1);
    expect(refused('kind.deep').fieldIndex).toBe(1);
    expect(refused('kinds').fieldIndex).toBe(3);
    expect(apply(begin(), { type: 'mistakes', serial: 1, errors: [] }).overlay).toBeUndefined();
    const ofAnother = { type: 'mistakes', serial: 0, errors: [{ path: 'kind', reason: 'no' }] } as const;
    expect(apply(sent, ofAnother).overlay).toBe(sent.overlay);
  });
});
