import { describe, expect, it } from 'vitest';
import { rejectCrossSiteRequest } from './same-origin.server.ts';

const ownOrigin = 'https://console.example';
const check = (headers: Record<string, string>) => () =>
  rejectCrossSiteRequest(new Request(`${ownOrigin}/sign-out`, { method: 'POST', headers }), {
    origin: ownOrigin,
  });

describe('refuseForeign', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin', origin: ownOrigin }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ origin: ownOrigin }],
  ])('lets our own page write: %j', (headers) => {
    expect(check(headers)).not.toThrow();
  });

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example' }],
    [{ 'sec-fetch-site': 'cross-site', origin: ownOrigin }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'null' }],
    [{ origin: 'http://console.example' }],
    [{ origin: `${ownOrigin}.evil.example` }],
  ])('refuses everything else: %j', (headers) => {
    expect(check(headers as Record<string, string>)).toThrow();
  });
});
