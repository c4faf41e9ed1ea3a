import { describe, expect, it } from 'vitest';
import { tableCsv, tableJson } from './table-download.ts';

const columns = [
  { name: 'summary', label: '概要' },
  { name: 'scopeId', label: 'Scope', resource: 'scope' },
  { name: 'size', label: 'Size, bytes' },
];

describe('tableCsv', () => {
  const cells = (value: unknown) =>
    tableCsv([columns[0]!], [{ summary: value }])
      .split('\r\n')
      .slice(1, -1)
      .join('\r\n');

  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [null, ''],
    [undefined, ''],
    [false, 'false'],
    [-3.5, '-3.5'],
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['\0=1+1', "'\0=1+1"],
    ['@cmd,x', '"\'@cmd,x"'],
    ['-5 degrees', "'-5 degrees"],
    [{ a: [1] }, '"{""a"":[1]}"'],
  ])('writes %j as %s', (value, text) => {
    expect(cells(value)).toBe(text);
  });

  it('begins with a byte order mark and the labels, and names what ids stand for', () => {
    const rows = [
      { summary: '停止', scopeId: '1', size: 2 },
      { summary: 'x', scopeId: '9', size: 3 },
    ];
    expect(tableCsv(columns, rows, { scope: { 1: { name: 'コア' } } })).toBe(
      '\ufeff概要,Scope,"Size, bytes"\r\n停止,コア,2\r\nx,9,3\r\n',
    );
  });
});

describe('tableJson', () => {
  it('holds the picked fields only', () => {
    expect(JSON.parse(tableJson(columns, [{ summary: 'x', size: 1, secret: 's' }]))).toEqual([
      { summary: 'x', size: 1 },
    ]);
  });
});
