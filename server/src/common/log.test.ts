import { expect, test } from 'vitest';
import { createLog, errorFields, type LogLine, type LogOptions } from './log.ts';

const now = () => Date.UTC(2026, 0, 31, 9, 8, 7, 654);

function written(lines: LogLine[], { isTTY = false, ...options }: LogOptions & { isTTY?: boolean } = {}) {
  const texts: string[] = [];
  const log = createLog({ isTTY, write: (text) => texts.push(text) }, { now, ...options });
  for (const line of lines) log(line);
  return texts;
}

const fieldsOf = (line: LogLine) => JSON.parse(written([line])[0]!) as Record<string, unknown>;

test('writes one JSON object per line', () => {
  const [line, ...more] = written([
    { level: 'warn', message: 'the mail was not sent', attempts: 2, cause: { code: 'ETIMEDOUT' } },
  ]);
  expect(more).toEqual([]);
  expect(line).toMatch(/^\{[^\n]*\}\n$/);
  expect(JSON.parse(line!)).toEqual({
    level: 'warn',
    time: '2026-01-31T09:08:07.654Z',
    message: 'the mail was not sent',
    attempts: 2,
    cause: { code: 'ETIMEDOUT' },
  });
});

test('writes plain text on a terminal', () => {
  const line = { level: 'info', message: 'ready', port: 80, host: 'a b', none: null } as const;
  expect(written([line], { isTTY: true })).toEqual(['09:08:07.654 info  ready port=80 host=a b none=null\n']);
});

test.each([
  [undefined, ['info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['error', ['error']],
] as const)('with level %s writes %j', (level, wanted) => {
  const lines = (['debug', 'info', 'warn', 'error'] as const).map((one) => ({ level: one, message: one }));
  const texts = written(lines, level ? { level } : {});
  expect(texts.map((text) => (JSON.parse(text) as LogLine).message)).toEqual(wanted);
});

test('keeps percent signs, line breaks and unusual values', () => {
  const circular: Record<string, unknown> = { name: 'loop' };
  circular.self = circular;
  const line = { level: 'info', message: '100%s %d\nnext', circular, big: 10n, none: undefined } as const;
  expect(fieldsOf(line)).toMatchObject({ message: '100%s %d\nnext', circular: { name: 'loop' }, big: 10 });
});

test.each(['password', 'token', 'secret', 'authorization', 'x-authorization', 'cookie', 'set-cookie'])(
  'masks the field %s',
  (name) => {
    const line = fieldsOf({ level: 'info', message: 'm', [name]: 'canary', request: { [name]: 'canary' } });
    expect(line).toMatchObject({ [name]: '***', request: { [name]: '***' } });
  },
);

const random = 'Zm9vYmFyLWJhei0wMTIzNDU2Nzg5LXF1dXgtcXV1eC0';

test.each([
  ['the address of a receive slot', `POST /receive/webhook/${random}?a=1`, 'POST /receive/webhook/***?a=1'],
  ['a slot address of mail', '/receive/mail/abcdefghijklmnopqrstuvwxyz234567 x', '/receive/mail/*** x'],
  ['an API token', `rejected ygr_${random}`, 'rejected ygr_***'],
  ['a token of an agent', `kst_${random}, again`, 'kst_***, again'],
  ['a header', `authorization: Bearer ${random}`, 'authorization: Bearer ***'],
  ['a JSON Web Token', `jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.${random}`, 'jwt ***'],
  [
    'the user of a URL',
    'connect smtp://me:pass@mail.example.com:25',
    'connect smtp://***@mail.example.com:25',
  ],
])('masks %s in every text', (_name, text, wanted) => {
  const error = new Error(text);
  error.stack = `Error\n    at "${text}" (file.ts:1:1)`;
  const line = fieldsOf({ level: 'error', message: text, list: [{ text }], ...errorFields(error) });
  expect(line).toMatchObject({
    message: wanted,
    error: wanted,
    list: [{ text: wanted }],
    stack: `    at "${wanted}" (file.ts:1:1)`,
  });
});

test.each([
  'https://example.com/apps/alerthub/scopes?filter=a@b',
  'Token "tok" created',
  'head 0197a3c4-1111-7000-8000-000000000001:12:0f3a5b7c9d1e3f5a7b9c1d3e5f7a9b1c',
])('leaves %s as it is', (text) => {
  expect(fieldsOf({ level: 'info', message: 'm', text }).text).toBe(text);
});
