// What a failure to send is called.
import { expect, test } from 'vitest';
import { failureCode } from '../../src/delivery/send-result.ts';

const failure = (code: unknown, cause?: unknown) =>
  Object.assign(new Error('connect 192.0.2.1:443', { cause }), { code });

test('a failure is called by the code of the outermost error that has one', () => {
  expect(failureCode(failure('ECONNREFUSED', failure('ECONNRESET')))).toBe('ECONNREFUSED');
  expect(failureCode(new TypeError('fetch failed', { cause: failure('ENOTFOUND') }))).toBe('ENOTFOUND');
});

test('a failure at every address of a host is called by the code of the first', () => {
  const addresses = new AggregateError([failure('ECONNREFUSED'), failure('EHOSTUNREACH')]);
  expect(failureCode(new TypeError('fetch failed', { cause: addresses }))).toBe('ECONNREFUSED');
});

test.each([[new Error('ECONNRESET')], [failure('connect to host')], [failure(111)], ['ECONNRESET']])(
  'text and numbers are not a code: %s',
  (error) => {
    expect(failureCode(error)).toBe('UNKNOWN');
  },
);
