import { expect, test } from 'vitest';
import { OutputFilter } from './output-filter.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const clean = (...pieces: (string | Uint8Array)[]) => {
  const filter = new OutputFilter();
  return Buffer.concat(
    pieces.map((piece) => filter.filter(typeof piece === 'string' ? bytesOf(piece) : piece)),
  ).toString('utf8');
};

test.each<[string, string, string]>([
  ['the clipboard (BEL)', 'a\x1b]52;c;c2VjcmV0\x07b', 'ab'],
  ['the clipboard (ST)', 'a\x1b]52;c;c2VjcmV0\x1b\\b', 'ab'],
  ['the clipboard in C1 form', 'a\u009d52;c;c2VjcmV0\u009cb', 'ab'],
  ['titles', 'a\x1b]0;t\x07\x1b]2;t\x07b', 'ab'],
  ['notifications', 'a\x1b]9;n\x07\x1b]777;notify;n\x07b', 'ab'],
  ['links', 'a\x1b]8;;https://evil.example\x1b\\b\x1b]8;;\x1b\\c', 'abc'],
  ['DCS, APC, PM and SOS', 'a\x1bP+q544e\x1b\\\x1b_x\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\b', 'ab'],
  ['window operations and printing', 'a\x1b[21t\x1b[3;0;0t\x1b[5ib', 'ab'],
  ['enquiry', 'a\x05b', 'ab'],
  ['a string that another sequence interrupts', 'a\x1b]0;t\x1b[1mb', 'a\x1b[1mb'],
  ['a canceled string', 'a\x1b]0;t\x18b', 'ab'],
])('%s is removed', (_, output, left) => {
  expect(clean(output)).toBe(left);
  // The same in pieces of one byte.
  expect(clean(...[...bytesOf(output)].map((byte) => Uint8Array.of(byte)))).toBe(left);
});

test.each([
  '\x1b[31mred\x1b[0m \x1b[?1049h\x1b[2J\x1b[10;20H',
  '\x1b]4;1;rgb:ff/00/00\x07\x1b]11;#000000\x1b\\\x1b]104\x07',
  '\x1b(B\x1b7\x1b8\x1bM\x1b=',
  '櫓 Â£ \u0085 ¢',
  '\u009b31mred',
])('%j stays', (output) => {
  expect(clean(output)).toBe(output);
  expect(clean(...[...bytesOf(output)].map((byte) => Uint8Array.of(byte)))).toBe(output);
});

test('bytes that are no UTF-8 stay as they are', () => {
  const filter = new OutputFilter();
  const bytes = Uint8Array.of(0xff, 0x80, 0xc2, 0x41, 0xc2, 0xc2, 0x41);
  expect(Buffer.from(filter.filter(bytes))).toEqual(Buffer.from(bytes));
});

test('a string without an end takes no memory', () => {
  const filter = new OutputFilter();
  for (const start of ['\x1b]52;c;', '\x1b]4;', '\x1bP', '\x1b[']) {
    filter.filter(bytesOf(start));
    for (let count = 0; count < 200; count++) filter.filter(new Uint8Array(10_000).fill(0x30));
    expect(JSON.stringify(filter).length).toBeLessThan(40_000);
    filter.filter(bytesOf('\x18'));
  }
  expect(Buffer.from(filter.filter(bytesOf('still here'))).toString()).toBe('still here');
});
