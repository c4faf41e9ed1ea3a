// What a large scan costs the server: the time until 10,000 reported hosts are nodes, and how a list is answered
// meanwhile; the first time, when all are new, and again, when all are known.
import { setTimeout as sleep } from 'node:timers/promises';
import { tsImport } from 'tsx/esm/api';
import { listTimes } from './support/list-times.mjs';
import { quantile } from './support/statistics.mjs';
import { callApi, startServer } from './testbed.mjs';

const hosts = 10_000;
const packages = 50;
const quietCalls = 200;
/** Milliseconds that a list may take while hosts are stored. */
const limit = 300;
const takesAtMost = 600_000;

export async function benchInventory({ say }) {
  const { connectAgent } = await tsImport('../../fixtures/src/testbed/test-agent.ts', import.meta.url);
  const { siteHosts } = await tsImport('../../fixtures/src/testbed/site-hosts.ts', import.meta.url);
  say(
    `inventory: ${hosts} hosts with up to ${packages} packages each, reported by one agent; a list of ten scopes meanwhile`,
  );
  const server = await startServer();
  const make = (path, body) => callApi(server, 'POST', path, body);
  let scan = 0;
  try {
    const { ksocketSlotId } = await make('/api/ksocket/slots', { displayName: 'Bench' });
    const { token } = await make(`/api/ksocket/slots/${ksocketSlotId}/tokens`, { displayName: 'Bench' });
    const { networkId } = await make('/api/apps/sonar/networks', { displayName: 'Bench', ksocketSlotId });
    const agent = await connectAgent({
      origin: server.origin,
      token,
      capabilities: [],
      chunk: 200,
      // Some hosts are missing from each scan.
      scan: () =>
        siteHosts({ seed: 'bench', count: Math.ceil(hosts * 1.06), packages, scan: scan++ }).slice(0, hosts),
    });
    const quiet = await listTimes(server, (calls) => calls < quietCalls);
    const rows = [];
    for (const when of ['new', 'known']) {
      let isOver = false;
      const asking = listTimes(server, () => !isOver);
      const begun = performance.now();
      const body = { namespace: 'sonar', method: 'scan', params: { networkId } };
      const { snapshotId } = await make('/api/tasks', body);
      const snapshot = await ended(server, `/api/apps/sonar/networks/${networkId}/snapshots/${snapshotId}`);
      const seconds = (performance.now() - begun) / 1000;
      isOver = true;
      const busy = await asking;
      say(
        `  ${snapshot.numberOfNodes} ${when} nodes after ${seconds.toFixed(0)} s; list p50 ${quantile(busy, 0.5).toFixed(1)}, ` +
          `p99 ${quantile(busy, 0.99).toFixed(1)}, worst ${Math.max(...busy).toFixed(0)} ms, quiet p99 ${quantile(quiet, 0.99).toFixed(1)} ms`,
      );
      const p99 = quantile(busy, 0.99);
      rows.push({
        ...{ name: `list p99 while ${hosts} hosts are ${when}`, unit: ' ms', ours: p99 },
        ...{ peer: limit, peerName: 'limit', ratio: p99 / limit, aim: '<= 1', met: p99 <= limit },
      });
    }
    await agent.close();
    return rows;
  } finally {
    await server.stop();
  }
}

async function ended(server, path) {
  const end = performance.now() + takesAtMost;
  while (performance.now() < end) {
    const snapshot = await callApi(server, 'GET', path);
    if (['succeeded', 'failed', 'aborted'].includes(snapshot.status)) {
      if (snapshot.status !== 'succeeded') throw new Error(`the scan ended as ${snapshot.status}`);
      return snapshot;
    }
    await sleep(200);
  }
  throw new Error('the scan did not end');
}
