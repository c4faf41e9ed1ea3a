import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { describe, expect, test } from 'vitest';
import { resources } from '../../resource/meta/resources.ts';
import type { Row } from '../../resource/meta/row.ts';
import { labelOf } from '../../resource/output/present-value.ts';
import { formatFormDocument, parseFormDocument } from './form-document.ts';

const t = await loadTranslator('en');
const words = { title: 'Edit', labelOf: (field: string) => labelOf(field, t), t };
const inputs = resources.flatMap(({ name, input }) => (input ? [[name, input] as const] : []));

describe('a text for the editor', () => {
  test.each(inputs)('%s: what stands in it comes back', (_name, fields) => {
    const body: Row = Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) =>
        field.default === undefined ? [] : [[name, field.default]],
      ),
    );
    const { body: read, errors } = parseFormDocument(formatFormDocument(fields, body, [], words), fields, t);
    expect(errors).toEqual([]);
    expect(read).toEqual(body);
  });

  const fields = resources.find(({ name }) => name === 'scope')!.input!;

  test('keeps text that YAML could take for something else', () => {
    const body = {
      displayName: 'yes',
      remarks: 'a: b\n# no comment\n- 監視\n',
      thresholds: { warning: 1, incident: 1e3 },
      recoveryTime: null,
    };
    expect(parseFormDocument(formatFormDocument(fields, body, [], words), fields, t).body).toEqual(body);
  });

  test.each([
    ['5m', 300],
    ['600', 600],
    ['soon', 'soon'],
  ])('a time of %s is read as %j', (text, recoveryTime) =>
    expect(parseFormDocument(`recoveryTime: ${text}`, fields, t)).toEqual({
      body: { recoveryTime },
      errors: [],
    }),
  );

  test.each([
    ['displayName: [', /1:/],
    ['- a\n- b', /fields with their values/],
    ['displayname: x', /Available fields: displayName/],
    ['a: &a [x]\nb: *c', /./],
  ])('%j is refused with a reason', (text, reason) => {
    const [error] = parseFormDocument(text, fields, t).errors;
    expect(error?.reason).toMatch(reason);
  });

  test('an empty text is an empty body', () =>
    expect(parseFormDocument('# only words\n', fields, t)).toEqual({ body: {}, errors: [] }));

  test('mistakes stand above their field, those of the round before are gone', () => {
    const typed = '#! displayName: old\ndisplayName: ""\n\nthresholds:\n  warning: x\n';
    const errors = [
      { path: 'thresholds.warning', reason: 'must be\na number' },
      { path: 'displayName', reason: 'is required' },
      { path: '', reason: 'is in use' },
    ];
    expect(formatFormDocument(fields, {}, errors, words, typed)).toBe(
      '#! is in use\n#! displayName: is required\ndisplayName: ""\n\n#! thresholds.warning: must be a number\nthresholds:\n  warning: x\n',
    );
  });

  test('a bomb of aliases is refused', () => {
    const lines = [
      'a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
      ...Array.from(
        { length: 12 },
        (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(',')}]`,
      ),
    ];
    expect(parseFormDocument(lines.join('\n'), fields, t).errors.length).toBeGreaterThan(0);
  });
});
