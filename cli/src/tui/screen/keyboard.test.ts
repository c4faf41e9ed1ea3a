import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyReader } from './keyboard.ts';

const read = (...chunks: (string | Uint8Array)[]) => {
  const reader = new KeyReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.flush()];
};

describe('KeyReader', () => {
  test.each<[string, string[]]>([
    ['jk', ['j', 'k']],
    ['\x1b[A\x1b[B\x1bOC\x1b[1;5D', ['up', 'down', 'right', 'left']],
    [
      '\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b[3~\x1b[Z',
      ['page-up', 'page-down', 'home', 'end', 'delete', 'shift-tab'],
    ],
    ['\r\n\t\x7f\b ', ['enter', 'enter', 'tab', 'backspace', 'backspace', 'space']],
    ['\x03\x1a\x04', ['ctrl-c', 'ctrl-z', 'ctrl-d']],
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1bx', ['escape', 'x']],
    ['\x1b[<64;10;5M\x1b[<65;10;5M', ['wheel-up', 'wheel-down']],
    ['\x1b[<0;10;5M\x1b[<0;10;5m', []],
    ['\x1b[200~a\rb\x03\x1b[201~\r', ['a', 'space', 'b', 'enter']],
    ['監視カメラ', [...'監視カメラ']],
    ['\x1b[I\x1b[?1;2c\x1b[99~', []],
  ])('%j', (text, keys) => expect(read(text)).toEqual(keys));

  test('reads the same keys however the input is cut', () => {
    const pieces = ['j', '\x1b[A', '\x1b[<65;1;1M', '監', '🙂', '\x1b[200~x\ry\x1b[201~', '\r', '\x1bOB'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        (list, sizes) => {
          const bytes = Buffer.from(list.join(''));
          const chunks: Buffer[] = [];
          let at = 0;
          for (const size of sizes) {
            if (at >= bytes.length) break;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(read(...chunks)).toEqual(read(list.join('')));
        },
      ),
    );
  });

  test('never throws, and never hands out a control character', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (chunks) => {
        for (const key of read(...chunks)) expect(key).not.toMatch(/[\x00-\x1f\x7f]/);
      }),
    );
  });
});
