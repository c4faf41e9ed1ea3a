// A server that stops while an agent is connected.
import { expect, test } from 'vitest';
import { createApiCall } from '../support/api-request.ts';
import { makeScanSite } from '../support/scan-site.ts';
import { startTestServer, storeKinds } from '../support/test-server.ts';

test('the server stops, and the agent can connect to the next one', async () => {
  const server = (await startTestServer({ engine: storeKinds[0]! }))!;
  try {
    const site = await makeScanSite(server, createApiCall(server.transportAs('privileged')));
    const agent = await site.connect();
    await server.restart();
    expect(await agent.closed).toBeGreaterThan(0);
    const again = await site.connect();
    await again.close();
  } finally {
    await server.stop();
  }
});
