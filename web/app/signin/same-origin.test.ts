import { describe, expect, it } from 'vitest';
import { refuseForeign } from './same-origin.server.ts';

const own = 'https://console.example';
const check = (headers: Record<string, string>) => () =>
  refuseForeign(new Request(`${own}/sign-out`, { method: 'POST', headers }), { origin: own });

describe('refuseForeign', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin', origin: own }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ origin: own }],
  ])('lets our own page write: %j', (headers) => {
    expect(check(headers)).not.toThrow();
  });

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example' }],
    [{ 'sec-fetch-site': 'cross-site', origin: own }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'null' }],
    [{ origin: 'http://console.example' }],
    [{ origin: `${own}.evil.example` }],
  ])('refuses everything else: %j', (headers) => {
    expect(check(headers as Record<string, string>)).toThrow();
  });
});
