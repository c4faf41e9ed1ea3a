import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { describe, expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';
import { type FileFault, readYaml } from './read-yaml.ts';

const [en, ja] = await Promise.all([loadTranslator('en'), loadTranslator('ja')]);

function firstFault(read: typeof readYaml, text: string, t = en): FileFault | undefined {
  const faults: FileFault[] = [];
  read(text, 'a.yaml', 'scopes', faults, t);
  return faults[0];
}

describe.each([
  ['scopes:\n\t- displayName: a\n', 'plan.yaml.tab', 2],
  ['scopes:\n  - displayName: a\n    displayName: b\n', 'plan.yaml.duplicate', 3],
  ['scopes:\n  - displayName: a: b\n', 'plan.yaml.nested', 2],
  ['scopes:\n  - displayName: @a\n', 'plan.yaml.start', 2],
  ['scopes:\n  - displayName: "a\\q"\n', 'plan.yaml.escape', 2],
  ['scopes: *none\n', 'plan.yaml.aliases', 1],
  ['scopes:\n  - displayName: "a\n', 'plan.yaml.missing', 3],
] as const)('YAML %j', (text, key, line) => {
  test('has its reason in the language of the terminal', () => {
    expect(firstFault(readYaml, text)).toMatchObject({ line, reason: en(key) });
    expect(firstFault(readYaml, text, ja)?.reason).toBe(ja(key));
  });
});

describe.each([
  ['displayName,remarks\na,b,c\n', 'plan.csv.cells', 2],
  ['displayName\n"a\n', 'plan.csv.open-quote', 2],
  ['displayName\n"a"b\n', 'plan.csv.quotes', 2],
  ['displayName\na"b\n', 'plan.csv.quotes', 2],
] as const)('CSV %j', (text, key, line) => {
  test('has its reason in the language of the terminal', () => {
    expect(firstFault(readCsv, text)).toMatchObject({ line, reason: en(key) });
    expect(firstFault(readCsv, text, ja)?.reason).toBe(ja(key));
  });
});
