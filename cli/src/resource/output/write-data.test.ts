import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { type OutputFormat, parseOutputFormat } from './output-format.ts';
import { createRowWriter, writeDocument } from './write-data.ts';

const rows = [{ name: 'a\u001b[2J', note: 'x,"y"\r\nz', parts: [1, { deep: null }] }];
const known = Object.keys(rows[0]!);

async function written(form: Parameters<typeof parseOutputFormat>[0], live = false): Promise<string> {
  const { terminal, out } = await testTerminal({ live });
  const read = parseOutputFormat(form, known) as OutputFormat;
  const write = await createRowWriter(terminal, read, known, known);
  if (write) rows.forEach(write);
  else await writeDocument(terminal, rows, read);
  return out();
}

describe('data as text', () => {
  test.each([
    [
      'yaml',
      { output: 'yaml' },
      '- name: "a\\e[2J"\n  note: "x,\\"y\\"\\r\\nz"\n  parts:\n    - 1\n    - deep: null\n',
    ],
    ['csv', { output: 'csv', json: 'note,parts' }, 'note,parts\r\n"x,""y""\r\nz","[1,{""deep"":null}]"\r\n'],
    ['a template', { template: '{{name}}|{{#parts}}{{deep}};{{/parts}}' }, 'a\u001b[2J|;;\n'],
  ])('%s', async (_name, form, text) => expect(await written(form)).toBe(text));

  test.each([
    [{ output: 'csv' }, "note,count\r\n'=1+1,-1\r\n"],
    [{ output: 'csv', raw: true }, 'note,count\r\n=1+1,-1\r\n'],
  ])('%j writes a formula as text unless it is raw', async (form, text) => {
    const { terminal, out } = await testTerminal({});
    const names = ['note', 'count'];
    const write = await createRowWriter(
      terminal,
      parseOutputFormat(form, names) as OutputFormat,
      names,
      names,
    );
    write!({ note: '=1+1', count: -1 });
    expect(out()).toBe(text);
  });

  test('on a terminal nothing steers it', async () => {
    expect(await written({ template: '{{name}}' }, true)).toBe('a\\x1b[2J\n');
  });

  test.each([
    [{ template: '{{other}}' }, 'cli.usage.unknown-field'],
    [{ template: '{{#name}}' }, 'cli.usage.template'],
    [{ output: 'yaml', raw: true }, 'cli.usage.raw'],
  ])('%j is refused', async (form, word) =>
    expect(written(form)).rejects.toThrow(expect.objectContaining({ messageKey: word })),
  );
});
