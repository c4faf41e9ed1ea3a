import { expect, test } from 'vitest';
import { readResponseBody } from '../../src/delivery/response-body.ts';

const plain = { contentType: undefined, encoded: false, limit: 10 };

async function* chunks(parts: string[], end?: Error) {
  for (const part of parts) yield Buffer.from(part);
  if (end) throw end;
}

test.each([
  [['12345', '67890'], { text: '1234567890', tooLong: false }],
  [['12345', '678901'], { text: '1234567890', tooLong: true }],
  [['1234567890123'], { text: '1234567890', tooLong: true }],
  [[], { text: '', tooLong: false }],
])('of %j no more than ten bytes are kept', async (parts, expected) => {
  expect(await readResponseBody(chunks(parts), plain)).toEqual(expected);
});

test('nothing is read behind the limit', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield Buffer.from('xxxx');
    }
  }
  expect((await readResponseBody(endless(), plain)).tooLong).toBe(true);
  expect(read).toBe(3);
});

test('what came before the connection broke is kept', async () => {
  expect(await readResponseBody(chunks(['abc'], new Error('reset')), plain)).toEqual({
    text: 'abc',
    tooLong: false,
  });
});

test.each([
  ['text/plain; charset=shift_jis', false, 'ｱ'],
  ['text/plain; charset="none-such"', false, '\ufffd'],
  [undefined, false, '\ufffd'],
  ['text/plain', true, ''],
])('the byte b1 of %j (encoded: %s) is %j', async (contentType, encoded, text) => {
  async function* body() {
    yield Buffer.from([0xb1]);
  }
  expect((await readResponseBody(body(), { ...plain, contentType, encoded })).text).toBe(text);
});
