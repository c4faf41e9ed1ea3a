import { loadTranslator } from '@yagura/core/words/dictionary';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../resource/catalogue.ts';
import type { Row } from '../resource/entry.ts';
import { labelOf } from '../resource/present.ts';
import { documentOf, readDocument } from './document.ts';

const t = await loadTranslator('en');
const words = { title: 'Edit', labelOf: (field: string) => labelOf(field, t), t };
const inputs = catalogue.flatMap(({ name, input }) => (input ? [[name, input] as const] : []));

describe('a text for the editor', () => {
  test.each(inputs)('%s: what stands in it comes back', (_name, fields) => {
    const body: Row = Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) =>
        field.default === undefined ? [] : [[name, field.default]],
      ),
    );
    const { body: read, mistakes } = readDocument(documentOf(fields, body, [], words), fields, t);
    expect(mistakes).toEqual([]);
    expect(read).toEqual(body);
  });

  const fields = catalogue.find(({ name }) => name === 'scope')!.input!;

  test('keeps text that YAML could take for something else', () => {
    const body = {
      displayName: 'yes',
      remarks: 'a: b\n# no comment\n- 監視\n',
      thresholds: { warning: 1, incident: 1e3 },
      recoveryTime: null,
    };
    expect(readDocument(documentOf(fields, body, [], words), fields, t).body).toEqual(body);
  });

  test.each([
    ['displayName: [', /1:/],
    ['- a\n- b', /fields and their values/],
    ['displayname: x', /Known: displayName/],
    ['a: &a [x]\nb: *c', /./],
  ])('%j is refused with a reason', (text, reason) => {
    const [mistake] = readDocument(text, fields, t).mistakes;
    expect(mistake?.reason).toMatch(reason);
  });

  test('an empty text is an empty body', () =>
    expect(readDocument('# only words\n', fields, t)).toEqual({ body: {}, mistakes: [] }));

  test('mistakes stand above their field, those of the round before are gone', () => {
    const typed = '#! displayName: old\ndisplayName: ""\n\nthresholds:\n  warning: x\n';
    const mistakes = [
      { path: 'thresholds.warning', reason: 'must be\na number' },
      { path: 'displayName', reason: 'is required' },
      { path: '', reason: 'is in use' },
    ];
    expect(documentOf(fields, {}, mistakes, words, typed)).toBe(
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
    expect(readDocument(lines.join('\n'), fields, t).mistakes.length).toBeGreaterThan(0);
  });
});
