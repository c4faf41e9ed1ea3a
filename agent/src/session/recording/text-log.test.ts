import { expect, test } from 'vitest';
import { TextLog } from './text-log.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const linesOf = (...pieces: (string | Uint8Array)[]) => {
  const log = new TextLog(80);
  const text =
    pieces
      .map((piece) =>
        textOf(log.add(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece, at)),
      )
      .join('') + log.end(at);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace('2026-01-02T03:04:05.006Z\t', ''));
};

const row = 'x'.repeat(80);

test.each<[string, string, string[]]>([
  ['lines', 'one\r\n\r\ntwo\r\nthree', ['one', 'two', 'three']],
  ['colors', '\x1b[1;31mred\x1b[0m\n', ['red']],
  ['a line that is written over', '10%\r20%\r100%\n', ['100%']],
  ['corrected input', 'lss\b \b -l\n', ['ls -l']],
  ['erased text', 'secret\r\x1b[Knew\n', ['new']],
  ['a row that is erased', 'Downloading 100%\r\x1b[2Kok\n', ['ok']],
  ['a command line that is edited', 'cat b\x1b[D\x1b[1@a b\n', ['cat a b']],
  ['other lines of a full-screen program', '\x1b[?1049h\x1b[1;1Htop\x1b[2;5Hleft\x1b[2J', ['top', 'left']],
  ['spaces at the end, and lines of them', 'a  \r\n   \r\nb\n', ['a', 'b']],
  [
    'lines that are longer than others',
    `${'x'.repeat(500)}\na\n`.repeat(3),
    ['x'.repeat(500), 'a', 'x'.repeat(500), 'a', 'x'.repeat(500), 'a'],
  ],
  ['many short lines', 'a\n'.repeat(100), Array.from({ length: 100 }, () => 'a')],
  ['plain lines among others', 'a\r\n\x1b[1mb\x1b[0m\r\nc\r\n櫓\nd\n', ['a', 'b', 'c', '櫓', 'd']],
  ['tabs', 'a\tb\n', ['a       b']],
  ['the beginning of a row that is erased', 'secret: x\x1b[1D\x1b[1Knew\n', ['        new']],
  ['characters that are erased in their place', 'abcdef\r\x1b[2Xx\n', ['x cdef']],
  ['what is below is erased', 'abcdef\x1b[3D\x1b[J!\n', ['abc!']],
  ['the choice of a character set', 'a\x1b(B\x1b[mb\n', ['ab']],
  ['a row that is full', `${'x'.repeat(80)}\r\nnext\n`, ['x'.repeat(80), 'next']],
  [
    'a line over two rows of which the second one is written again',
    `${row}first\rsecond\n`,
    [`${row}second`],
  ],
  ['half of a wide character that is written over', '櫓櫓\b\b\bx\n', [' x櫓']],
  ['marks over characters', 'e\u0301か\u3099\b\bx\n', ['e\u0301x']],
  ['a progress in the line above', '10%\r\n\x1b[A20%\r\nend\n', ['10%', '20%', 'end']],
  ['titles and other strings', 'a\x1b]0;t\x07b\x1bPq\x1b\\c\n', ['abc']],
])('%s', (_, output, lines) => expect(linesOf(output)).toEqual(lines));

test.each([
  'plain text',
  '\x1b[31mcolors\x1b[0m and a progress: 10%\r20%',
  '  \t櫓の上\b\bxy\x1b[Kz\x1b[2Dq',
])('a line is the same in one piece and in single bytes: %j', (line) => {
  const bytes = new TextEncoder().encode(`${line}\r\nnext\n`);
  expect(linesOf(bytes)).toEqual(linesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))));
  expect(linesOf(bytes)).toHaveLength(2);
});

test('a line with any byte in any place is the same in one piece and in single bytes', () => {
  for (let byte = 0; byte < 256; byte++)
    for (let place = 0; place < 9; place++) {
      const line = Buffer.from('abcdefgh\r\nnext\r\n');
      const bytes = Buffer.concat([line.subarray(0, place), Buffer.of(byte), line.subarray(place)]);
      const inPieces = linesOf(...Array.from(bytes, (one) => Uint8Array.of(one)));
      expect([byte, place, linesOf(bytes)]).toEqual([byte, place, inPieces]);
    }
});

test('a character that is cut in two arrives whole', () => {
  const [first, ...rest] = new TextEncoder().encode('櫓\n');
  expect(linesOf(Uint8Array.of(first!), Uint8Array.from(rest))).toEqual(['櫓']);
});

test('a character that stays incomplete is marked in its place', () => {
  const [first] = new TextEncoder().encode('櫓');
  expect(linesOf('a\n', Uint8Array.of(first!), 'b\nc\n')).toEqual(['a', '\ufffdb', 'c']);
});

test('a line that comes in pieces is followed by lines', () => {
  expect(linesOf('on', 'e\r\ntwo\r', '\nthree\r\nfo', 'ur\n')).toEqual(['one', 'two', 'three', 'four']);
});

test('lines have the time of their end', () => {
  const log = new TextLog(80);
  const encode = (text: string) => new TextEncoder().encode(text);
  expect(textOf(log.add(encode('a\nb'), 0))).toBe('1970-01-01T00:00:00.000Z\ta\n');
  expect(textOf(log.add(encode('\nc\n'), 1))).toBe(
    '1970-01-01T00:00:00.001Z\tb\n1970-01-01T00:00:00.001Z\tc\n',
  );
});

test('a line without an end becomes many', () => {
  const log = new TextLog(80);
  let length = 0;
  for (let count = 0; count < 200; count++) {
    const text = textOf(log.add(new Uint8Array(10_000).fill(0x61), at));
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(2100);
    length += text.replace(/^.*\t|\n/gm, '').length;
  }
  expect(length + log.end(at).replace(/^.*\t|\n/g, '').length).toBe(2_000_000);
});
