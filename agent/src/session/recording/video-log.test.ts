import { expect, test } from 'vitest';
import { VideoLog } from './video-log.ts';

const encode = (text: string) => new TextEncoder().encode(text);
/** The output that a log has of these pieces, each a millisecond after the one before. */
function outputOf(...pieces: Uint8Array[]): { times: number[]; text: string } {
  const log = new VideoLog();
  log.begin({ columns: 80, rows: 24 }, 0);
  const lines = pieces.map((piece, index) => Buffer.from(log.output(piece, index + 1)).toString());
  const events = (lines.join('') + log.end(pieces.length + 1))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as [number, string, string]);
  return { times: events.map(([time]) => time), text: events.map(([, , text]) => text).join('') };
}

test.each([
  ['plain text', 'one\r\ntwo\r\n'],
  ['quotation marks and backslashes', 'a "quoted" \\ path\\\\'],
  ['all characters of ASCII', String.fromCharCode(...Array(128).keys())],
  ['other characters', '櫓の上 é 𠮷 \u2028 \ufeff'],
  ['a mark of the byte order at the beginning', '\ufefftext'],
])('%s', (_, text) => {
  expect(outputOf(encode(text)).text).toBe(text);
  expect(outputOf(...Array.from(encode(text), (byte) => Uint8Array.of(byte))).text).toBe(text);
});

test('an event is the same line as by the JSON of the language', () => {
  const log = new VideoLog();
  log.begin({ columns: 80, rows: 24 }, 0);
  const text = `${String.fromCharCode(...Array(256).keys())}櫓`;
  expect(Buffer.from(log.output(encode(text), 1500)).toString()).toBe(
    `${JSON.stringify([1.5, 'o', text])}\n`,
  );
});

test('bytes that are not UTF-8 are replaced', () => {
  expect(outputOf(Uint8Array.of(0x61, 0xff, 0x62), encode('c')).text).toBe('a\ufffdbc');
});

test('a character that stays incomplete is marked in its place', () => {
  const [first] = encode('櫓');
  expect(outputOf(encode('a'), Uint8Array.of(first!), encode('b')).text).toBe('a\ufffdb');
  expect(outputOf(Uint8Array.of(first!)).text).toBe('\ufffd');
});

test('times are differences, also beside a character that comes in pieces', () => {
  const [first, ...rest] = encode('櫓');
  const { times, text } = outputOf(encode('a'), Uint8Array.of(first!), Uint8Array.from(rest), encode('b'));
  expect(text).toBe('a櫓b');
  expect(times).toEqual([0.001, 0.002, 0.001]);
});
