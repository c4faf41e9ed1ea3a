import type { Fields } from '@yagura/core/resource/resource-meta';
import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import type { Row } from '../meta/row.ts';
import { parseOutputFormat } from './output-format.ts';
import { type OutputShape, printCount, writeItem, writeRows } from './write-output.ts';

const text = { kind: 'text', required: true, nullable: false } as const;
const shape = (fields: Fields): OutputShape => ({ fields, columns: Object.keys(fields), id: 'scopeId' });
/** No field here is a reference, so no names are requested. */
const transport = {
  origin: '',
  fetch: () => Promise.reject(new Error('nothing is to be fetched')),
};

async function sheet(fields: Fields, row: Row, columns: number): Promise<string[]> {
  const { terminal, out } = await testTerminal({ live: true, env: { COLUMNS: String(columns) } });
  await writeItem(terminal, row, shape(fields), undefined, transport);
  return out().trimEnd().split('\n');
}

describe('a wide table', () => {
  const count = { kind: 'integer', required: true, nullable: false } as const;
  const nested = (fields: Fields) => ({ kind: 'object', required: true, nullable: false, fields }) as const;
  const contacts = {
    kind: 'list',
    required: true,
    nullable: false,
    item: nested({
      contactId: { kind: 'reference', resource: 'contact', required: true, nullable: false },
      phone: count,
    }),
  } as const;

  test('shows nested values without labels, and referenced items by their names', async () => {
    const requests: string[] = [];
    const contactId = '01a1fea7-056f-700d-b199-539c2daf013a';
    const names = {
      origin: 'http://space.example',
      fetch: async (url: string) => {
        requests.push(decodeURIComponent(url));
        return Response.json({ items: [{ contactId, displayName: 'Hanako' }], total: 1 });
      },
    };
    const { terminal, out } = await testTerminal();
    const fields = {
      counts: nested({ matched: count, total: count }),
      user: nested({ displayName: text }),
      contacts,
    };
    const row = {
      counts: { matched: 1, total: 3 },
      user: { displayName: 'Taro', userId: 'x' },
      contacts: [
        { contactId, phone: 1 },
        { contactId: 'gone', phone: 2 },
      ],
    };
    const wide = { kind: 'wide', fields: undefined, expression: '', raw: false } as const;
    await writeRows(terminal, [row], { fields, columns: Object.keys(fields) }, wide, names);
    expect(out().split('\n')[1]!.trim().split(/ {2,}/)).toEqual(['1/3', 'Taro', 'Hanako 1, gone 2']);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain(contactId);
  });

  test('a block of nested values names them too', async () => {
    const { terminal, out } = await testTerminal({ live: true });
    const names = {
      origin: 'http://space.example',
      fetch: async () => Response.json({ items: [{ contactId: 'c1', displayName: 'Hanako' }], total: 1 }),
    };
    await writeItem(
      terminal,
      { contacts: [{ contactId: 'c1', phone: 1 }] },
      shape({ contacts }),
      undefined,
      names,
    );
    expect(out()).toContain('"contactId": "Hanako"');
  });
});

test.each([
  ['on a terminal', { live: true, env: { COLUMNS: '40' } }, 'table', true],
  ['in a pipe with COLUMNS', { env: { COLUMNS: '40' } }, 'table', true],
  ['in a pipe', {}, 'table', false],
  ['as wide', { live: true, env: { COLUMNS: '40' } }, 'wide', false],
] as const)('a table %s is cut only to a known width', async (_name, options, output, isCut) => {
  const { terminal, out } = await testTerminal(options);
  const long = 'x'.repeat(200);
  const format = parseOutputFormat({ output }, ['displayName']);
  await writeRows(terminal, [{ displayName: long }], shape({ displayName: text }), format, transport);
  expect(out().includes(long)).toBe(!isCut);
  if (isCut) for (const line of out().split('\n')) expect(line.length).toBeLessThanOrEqual(40);
});

describe('an item in a pipe', () => {
  test('is one line for each field, whatever is in its values', async () => {
    const { terminal, out } = await testTerminal();
    const row = { displayName: 'a\tb\nc\x1b[31m\u009b1m', remarks: null, size: 3 };
    await writeItem(terminal, row, shape({}), undefined, transport);
    expect(out().split('\n')).toEqual(['displayName\ta\\tb\\nc\\x1b[31m\\x9b1m', 'remarks\t', 'size\t3', '']);
  });

  test('so are the rows of a list', async () => {
    const { terminal, out } = await testTerminal();
    const rows = [{ displayName: 'a\tb' }, { displayName: 'c\nd' }];
    expect(await writeRows(terminal, rows, shape({ displayName: text }), undefined, transport)).toBe(2);
    expect(out()).toBe('a\\tb\nc\\nd\n');
  });
});

describe('an item for a person', () => {
  const fields = { displayName: text, remarks: text };
  // The labels are 7 columns wide, with a gap of 2 columns before the value.
  const words = 'one two three four five six';

  test('a value stands beside its label while 20 columns are left, else below', async () => {
    const row = { displayName: 'x', remarks: words };
    expect(await sheet(fields, row, 29)).toEqual([
      'Name     x',
      'Remarks  one two three four',
      '         five six',
    ]);
    expect(await sheet(fields, row, 28)).toEqual([
      'Name     x',
      'Remarks',
      '  one two three four five',
      '  six',
    ]);
  });

  test('what has no place to break stands below in one piece', async () => {
    const id = '01a1fea7-056f-700d-b199-539c2daf013a';
    expect(await sheet(fields, { displayName: 'x', remarks: id }, 40)).toEqual([
      'Name     x',
      'Remarks',
      `  ${id}`,
    ]);
  });

  test('text of several lines stands below, and cannot steer the terminal', async () => {
    expect(await sheet(fields, { displayName: 'x', remarks: 'a\x1b[2J\nb\u009b1m' }, 80)).toEqual([
      'Name     x',
      'Remarks',
      '  a\\x1b[2J',
      '  b\\x9b1m',
    ]);
  });

  test('parts of an object stand below as JSON, harmless as well', async () => {
    const kinds = { displayName: text, thresholds: { ...text, kind: 'json' } } as Fields;
    const [name, label, ...lines] = await sheet(
      kinds,
      { displayName: 'x', thresholds: { a: ['\x1b[2J'] } },
      80,
    );
    expect([name!.endsWith('  x'), label]).toEqual([true, 'Thresholds']);
    expect(JSON.parse(lines.join('\n'))).toEqual({ a: ['\x1b[2J'] });
    expect(lines.join('')).not.toContain('\x1b');
  });
});

describe('sayCount', () => {
  const said = async (shown: number, total: number, live = true) => {
    const { terminal, err } = await testTerminal({ live });
    printCount(terminal, shown, total, 'scopes');
    return err();
  };

  test('tells that nothing is there, or not all of it; nothing where all is shown', async () => {
    expect(await said(0, 0)).toContain('No scopes');
    expect(await said(0, 7)).toContain('No scopes');
    expect(await said(30, 31)).toMatch(/30.*31/);
    expect(await said(31, 31)).toBe('');
    // An item created after the count does not change the message.
    expect(await said(32, 31)).toBe('');
  });

  test('says nothing to programs', async () => {
    expect(await said(0, 0, false)).toBe('');
    expect(await said(30, 31, false)).toBe('');
  });
});
