// Cost of the receiver's proxy per API call: a list over the public port and over the application's own socket, alternating.
import http from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { quantile } from './support/statistics.mjs';
import { startServer } from './testbed.mjs';

const warmUp = 300;
const calls = 2000;
const path = '/api/apps/alerthub/scopes?limit=10';

export async function benchProxy({ say }) {
  say(`proxy: ${calls} lists of scopes, alternating between the public port and the socket behind it`);
  const server = await startServer();
  const headers = { 'x-authorization': `Token ${server.token}` };
  const targets = {
    through: { port: Number(new URL(server.origin).port), host: '127.0.0.1' },
    direct: { socketPath: join(server.data, 'application.sock') },
  };
  const agents = {};
  const times = { through: [], direct: [] };
  try {
    for (const target of Object.keys(targets))
      agents[target] = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < warmUp + calls; round++) {
      for (const [target, options] of Object.entries(targets)) {
        const time = await timeOf({ ...options, path, headers, agent: agents[target] });
        if (round >= warmUp) times[target].push(time);
      }
    }
  } finally {
    for (const agent of Object.values(agents)) agent.destroy();
    await server.stop();
  }
  say(`  load ${loadavg()[0].toFixed(1)}`);
  return [0.5, 0.99].map((part) => {
    const ours = quantile(times.through, part);
    const peer = quantile(times.direct, part);
    return {
      name: `proxy, p${part * 100} of a list`,
      unit: ' ms',
      ours,
      peer,
      peerName: 'without the receiver',
      ratio: ours / peer,
      aim: '<= 1.2',
      met: ours / peer <= 1.2,
    };
  });
}

/** Milliseconds until the complete response has arrived; throws if the status is not 200. */
function timeOf(options) {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    http
      .get(options, (reply) => {
        reply.resume();
        reply.once('error', reject);
        reply.once('end', () =>
          reply.statusCode === 200
            ? resolve(performance.now() - begun)
            : reject(new Error(`a list was answered with ${reply.statusCode}`)),
        );
      })
      .once('error', reject);
  });
}
