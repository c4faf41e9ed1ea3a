import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { isMultiFactor, requestsPromptLogin } from './prompt-login.ts';
import { isCrossSiteForm, readForm } from './read-form.ts';

const form = 'application/x-www-form-urlencoded';
/** Reads the chunks as a form; also tells how many of them were taken from the connection. */
async function read(chunks: (string | Buffer)[], type: string | undefined = form) {
  let taken = 0;
  const body = Readable.from(
    (function* () {
      for (const chunk of chunks) {
        taken += 1;
        yield Buffer.from(chunk);
      }
    })(),
    { highWaterMark: 1 },
  );
  const headers = type === undefined ? {} : { 'content-type': type };
  return { fields: await readForm(Object.assign(body, { headers }) as unknown as IncomingMessage), taken };
}

test.each([
  [form, true],
  [`${form.toUpperCase()} ; charset=utf-8`, true],
  ['application/json', false],
  ['multipart/form-data', false],
  ['', false],
])('a form of the type %j is read: %s', async (type, isRead) => {
  const { fields } = await read(['a=%E8%8A%B1&b=1', '+2'], type);
  expect(fields && Object.fromEntries(fields)).toEqual(isRead ? { a: '花', b: '1 2' } : null);
});

test('a form of 16 KiB is read, one of a byte more is not', async () => {
  const whole = `a=${'x'.repeat(16_382)}`;
  expect((await read([whole.slice(0, 9_000), whole.slice(9_000)])).fields?.get('a')).toHaveLength(16_382);
  expect((await read([whole, 'x'])).fields).toBeNull();
});

test('a form of up to a mebibyte is read to its end, a longer one is given up', async () => {
  const part = Buffer.alloc(2 ** 16, 'x');
  const parts = (count: number) => Array.from({ length: count }, () => part);
  expect(await read(parts(16))).toEqual({ fields: null, taken: 16 });
  const { fields, taken } = await read(parts(1_000));
  expect(fields).toBeNull();
  expect(taken).toBeLessThan(100);
});

test.each([
  [{}, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, false],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://yagura.example' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ origin: 'https://yagura.example' }, false],
  [{ origin: 'http://yagura.example' }, true],
  [{ origin: 'null' }, true],
])('a form with %o comes from another site: %s', (headers, expected) => {
  const req = { headers } as unknown as IncomingMessage;
  expect(isCrossSiteForm(req, 'https://yagura.example')).toBe(expected);
});

test.each([
  [undefined, false],
  [[], false],
  [['pwd'], false],
  [['fed', 'pwd', 'sms'], false],
  [['pwd', 'mfa'], true],
  [['otp'], true],
  [['hwk'], true],
  [['swk'], true],
  [['sc'], true],
])('the methods %j need no further step: %s', (methods, expected) => {
  expect(isMultiFactor(methods)).toBe(expected);
});

test.each([
  [{}, false],
  [{ prompt: 'none' }, false],
  [{ prompt: 'relogin' }, false],
  [{ prompt: 1 }, false],
  [{ prompt: 'login' }, true],
  [{ prompt: 'consent login' }, true],
  [{ max_age: 0 }, true],
  [{ prompt: 'consent', max_age: '600' }, true],
])('the request %o wants a new sign-in: %s', (parameters, expected) => {
  expect(requestsPromptLogin(parameters)).toBe(expected);
});
