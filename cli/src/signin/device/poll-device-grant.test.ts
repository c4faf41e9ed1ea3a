import { allowInsecureRequests, Configuration, None } from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type StubReply, StubSpace } from '../../../test/stub-space.ts';
import { pollDeviceGrant } from './poll-device-grant.ts';

const provider = new StubSpace();
beforeAll(() => provider.start());
afterAll(() => provider.stop());

function poll(replies: StubReply[], { interval = 0.01, signal = new AbortController().signal } = {}) {
  const left = [...replies];
  provider.reset({ 'POST /token': () => reply(left.length > 1 ? left.shift()! : left[0]!) });
  const metadata = { issuer: provider.origin, token_endpoint: `${provider.origin}/token` };
  const configuration = new Configuration(metadata, 'cli', undefined, None());
  allowInsecureRequests(configuration);
  const request = {
    device_code: 'd',
    user_code: 'A',
    verification_uri: 'http://x',
    expires_in: 600,
    interval,
  };
  return pollDeviceGrant(configuration, request, signal);
}

const pending = { status: 400, body: { error: 'authorization_pending' } };
const granted = { body: { access_token: 'a', token_type: 'bearer' } };

test('goes on while the request is not decided or the server is busy', async () => {
  const busy = { status: 503, body: '<h1>Busy</h1>', headers: { 'content-type': 'text/html' } };
  expect(await poll([pending, busy, pending, granted])).toMatchObject({ access_token: 'a' });
  expect(provider.asked.map(({ body }) => new URLSearchParams(body).get('device_code'))).toEqual(
    Array(4).fill('d'),
  );
});

test('ends with the refusal of the user, and with other failures of the provider', async () => {
  const denied = { status: 400, body: { error: 'access_denied' } };
  await expect(poll([pending, denied])).rejects.toMatchObject({ error: 'access_denied' });
  await expect(poll([{ status: 500, body: 'broken' }])).rejects.toThrow();
});

test('is ended by an interruption at once, without another request', async () => {
  const interruption = new AbortController();
  const polling = poll([granted], { interval: 600, signal: interruption.signal });
  interruption.abort();
  await expect(polling).rejects.toMatchObject({ name: 'AbortError' });
  expect(provider.asked).toEqual([]);
});
