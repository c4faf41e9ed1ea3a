import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';
import { readFiles } from './read-files.ts';
import type { FileFault } from './read-yaml.ts';

const t = createTranslator('en', en);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const read = async (path = folder) => {
  const { items, faults } = await readFiles(path, t);
  return {
    items: items.map(({ kind, parents, name, number, fields, file }) => ({
      kind,
      parents,
      name,
      number,
      fields,
      file,
    })),
    faults: faults.map(({ file, line, field }) => [file, line, field]),
  };
};

describe('a folder', () => {
  test('is read file by file in the order of their names, below as well, without hidden ones', async () => {
    write('b.yml', 'scopes:\n  - displayName: " web "\n');
    write('a.YAML', '\ufeffscopes:\n  - displayName: db\n    remarks: x\n');
    write('deep/triggers.csv', 'scope,displayName\nweb,pager\n');
    write('rules.json', '[{"displayName": "r"}]');
    write('.hidden/scopes.yaml', '- displayName: hidden\n');
    write('deep/.scopes.yaml', '- displayName: hidden\n');
    write('notes.txt', 'scopes:\n');
    const { items, faults } = await read();
    expect(faults).toEqual([]);
    expect(items).toEqual([
      {
        kind: 'scope',
        parents: [],
        name: 'db',
        number: 0,
        fields: { displayName: 'db', remarks: 'x' },
        file: 'a.YAML',
      },
      { kind: 'scope', parents: [], name: 'web', number: 0, fields: { displayName: ' web ' }, file: 'b.yml' },
      {
        kind: 'trigger',
        parents: ['web'],
        name: 'pager',
        number: 0,
        fields: { displayName: 'pager' },
        file: 'deep/triggers.csv',
      },
      { kind: 'rule', parents: [], name: 'r', number: 0, fields: { displayName: 'r' }, file: 'rules.json' },
    ]);
  });

  test('may be one file', async () => {
    write('scopes.yaml', '- displayName: web\n');
    expect((await read(join(folder, 'scopes.yaml'))).items).toMatchObject([{ kind: 'scope', name: 'web' }]);
  });

  test('numbers items of the same name and parents', async () => {
    write(
      'x.yaml',
      'scopes:\n  - displayName: a\n  - displayName: a\ntriggers:\n  - {scope: a, displayName: a}\n',
    );
    write('y.yaml', 'scopes:\n  - displayName: a\n');
    expect((await read()).items.map(({ kind, number }) => [kind, number])).toEqual([
      ['scope', 0],
      ['scope', 1],
      ['trigger', 0],
      ['scope', 2],
    ]);
  });

  test('tells each item that has no kind, name or parent', async () => {
    write(
      'x.yaml',
      'things:\n  - displayName: a\nscopes:\n  - displayName: " "\n  - {}\ntriggers:\n  - displayName: b\n  - {scope: "", displayName: b}\n',
    );
    const { items, faults } = await read();
    expect(items).toEqual([]);
    expect(faults).toEqual([
      ['x.yaml', 2, undefined],
      ['x.yaml', 4, 'displayName'],
      ['x.yaml', 5, 'displayName'],
      ['x.yaml', 7, 'scope'],
      ['x.yaml', 8, 'scope'],
    ]);
  });

  test('a name or parent that is no text is told as such', async () => {
    write('x.yaml', 'scopes:\n  - displayName: 10\ntriggers:\n  - {scope: 10, displayName: b}\n');
    const { faults } = await readFiles(folder, t);
    expect(faults.map(({ field, reason }) => [field, reason])).toEqual([
      ['displayName', t('rule.text')],
      ['scope', t('rule.text')],
    ]);
  });

  test('a part of an item is named after it', async () => {
    write('x.yaml', 'scan-settings:\n  - network: Office\n    enabled: false\n');
    expect((await read()).items).toMatchObject([
      { kind: 'scan-settings', parents: ['Office'], name: 'Office', fields: { enabled: false } },
    ]);
  });

  test('that is missing or has no such file is refused, and a file that is too large is named', async () => {
    await expect(read(join(folder, 'gone'))).rejects.toMatchObject({ messageKey: 'cli.usage.file' });
    write('notes.txt', '');
    await expect(read()).rejects.toMatchObject({ messageKey: 'plan.no-files' });
    write('large.yaml', '');
    truncateSync(join(folder, 'large.yaml'), 20 * 1024 * 1024 + 1);
    expect((await read()).faults).toEqual([['large.yaml', 1, undefined]]);
  });
});

test('a file that is not UTF-8 has no items, and a fault at the first such line', async () => {
  const name = Buffer.from('83588352815B8376', 'hex');
  writeFileSync(join(folder, 'scopes.csv'), Buffer.concat([Buffer.from('displayName\n'), name]));
  writeFileSync(join(folder, 'x.yaml'), Buffer.concat([Buffer.from('scopes:\n\n- displayName: '), name]));
  write('y.yaml', 'scopes:\n- displayName: スコープ\n');
  const { items, faults } = await read();
  expect(items).toMatchObject([{ name: 'スコープ', file: 'y.yaml' }]);
  expect(faults).toEqual([
    ['scopes.csv', 2, undefined],
    ['x.yaml', 3, undefined],
  ]);
});

describe('a CSV file', () => {
  const parse = (text: string, kind = 'scopes') => {
    const faults: FileFault[] = [];
    const items = readCsv(text, 'file.csv', kind, faults, t);
    return { items: items.map(({ fields, lineOf }) => [lineOf(''), fields]), faults };
  };

  test('has an item in each row, with values of their kinds', () => {
    const text =
      ' displayName ,recoveryTime,thresholds,remarks\nweb,600,"{""warning"": 2, ""incident"": 5}",\n\n"two\nlines",,,x\n';
    expect(parse(text)).toEqual({
      faults: [],
      items: [
        [2, { displayName: 'web', recoveryTime: 600, thresholds: { warning: 2, incident: 5 } }],
        [5, { displayName: 'two\nlines', recoveryTime: null, remarks: 'x' }],
      ],
    });
  });

  test('has names in columns of references and parents, and null only where that is possible', () => {
    expect(parse('scope,displayName,extra\nweb,a,\n,b,1\n', 'triggers').items).toEqual([
      [2, { scope: 'web', displayName: 'a' }],
      [3, { displayName: 'b', extra: '1' }],
    ]);
    expect(parse('displayName\na\n', 'unknown').items).toEqual([[2, { displayName: 'a' }]]);
    expect(parse('')).toEqual({ items: [], faults: [] });
  });

  test('with a cell that is no value tells its line and column', () => {
    const { items, faults } = parse('displayName,recoveryTime\na,soon\nb,60\n');
    expect(faults).toMatchObject([{ file: 'file.csv', line: 2, field: 'recoveryTime' }]);
    expect(items).toHaveLength(2);
  });

  test('that is broken, or an export of bulk operations, has a fault and no items', () => {
    expect(parse('a,b\n"x\n')).toMatchObject({ items: [], faults: [{ line: expect.any(Number) }] });
    expect(parse('a,b\n1,2,3\n')).toMatchObject({ items: [], faults: [{ line: 2 }] });
    expect(parse('$key,displayName\n1,a\n')).toEqual({
      items: [],
      faults: [{ file: 'file.csv', line: 1, field: '$key', reason: t('plan.bulk-file') }],
    });
  });
});
