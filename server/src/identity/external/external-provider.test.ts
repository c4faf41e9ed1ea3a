import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { createExternalProvider } from './external-provider.ts';
import type { ExternalSettings } from './external-settings.ts';

test('the metadata of the provider is read once an hour', async () => {
  let reads = 0;
  const server = createServer((_request, response) => {
    reads += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new ManualClock();
  const settings = { issuer, clientId: 'yagura', scope: 'openid email' } as ExternalSettings;
  const provider = createExternalProvider(settings, { publicUrl: 'http://localhost:8080', clock });
  const begin = () => provider.begin({ uid: 'one', language: 'ja' });
  expect((await begin()).address.href).toMatch(`${issuer}/authorize?`);
  clock.advance(3_599_999);
  await begin();
  expect(reads).toBe(1);
  clock.advance(1);
  await begin();
  expect(reads).toBe(2);
});
