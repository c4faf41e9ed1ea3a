import { describe, expect, test } from 'vitest';
import { createEchoRedaction } from './redact-echo.ts';

const basic = Buffer.from('duty:open sesame').toString('base64');
const request = {
  url: 'https://hooks.example.com/services/aB3dE5gH7jK9mN1pQ3rS5tU7?api_key=query-key&host=web-server-01',
  headers: {
    Authorization: 'Bearer s3cret-bearer',
    'X-Title': 'disk is full',
    'X-Quoted-Token': 'say "friend" & enter',
    'X-Short': 'five5',
    'Content-Type': 'application/json',
  },
};

describe('a response that repeats its request', () => {
  const { redact, redactCredentials } = createEchoRedaction(request);

  test.each([
    ['authorization: Bearer s3cret-bearer', 'authorization: ***'],
    ['token s3cret-bearer is unknown', 'token *** is unknown'],
    ['/services/aB3dE5gH7jK9mN1pQ3rS5tU7/', '/services/***/'],
    ['?api_key=query-key', '?api_key=***'],
    [JSON.stringify({ token: request.headers['X-Quoted-Token'] }), '{"token":"***"}'],
    ['say%20%22friend%22%20%26%20enter', '***'],
  ])('%j has no credentials for people and runbooks: %j', (text, masked) => {
    expect(redact(text)).toBe(masked);
    expect(redactCredentials(text)).toBe(masked);
  });

  test('shows people nothing that is masked in the request, and leaves runbooks what is no credential', () => {
    const text = '"disk is full" on web-server-01 as application/json, five5';
    expect(redact(text)).toBe('"***" on *** as application/json, five5');
    expect(redactCredentials(text)).toBe(text);
  });

  test('has no beginning of a secret where it was cut', () => {
    expect(redact('the key was s3cret-bea')).toBe('the key was ***');
    expect(redact('the key was s3cr')).toBe('the key was s3cr');
  });

  test('has neither the encoded nor the plain password of a user', () => {
    const { redact } = createEchoRedaction({ url: '', headers: { authorization: `Basic ${basic}` } });
    expect(redact(`${basic}, duty:open sesame, open sesame`)).toBe('***, ***, ***');
  });
});

test.each([undefined, null, 'text', {}, { url: 7, headers: null }, { url: 'not an address' }])(
  'what is no webhook, such as %j, has nothing to mask',
  (other) => {
    expect(createEchoRedaction(other).redact('unchanged')).toBe('unchanged');
  },
);
