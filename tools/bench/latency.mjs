// Time from a post to the webhook that it causes, one at a time.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { alertmanagerVersion, startAlertmanager } from './peers/alertmanager.mjs';
import { bareWrites, startTwoSyncs } from './peers/fsync-peer.mjs';
import { median, spread } from './support/statistics.mjs';
import { makeAlertPath, outboundToLoopback, startServer } from './testbed.mjs';

const rounds = 5;
const count = 200;
/** Posts to each before the first round: a server that has just started takes half as long again for each. */
const warmUpCount = 1000;

export async function benchLatency({ say }) {
  const version = alertmanagerVersion();
  if (!version) return [{ name: 'latency', skipped: 'prometheus-alertmanager is not installed' }];
  say(
    `latency: ${count} posts one at a time, each to its webhook at one sink, ${rounds} rounds in turn, against`,
  );
  say(
    `  Alertmanager ${version} with group_wait 0s and every alert its own group. Ours stores message, decision, event`,
  );
  say(
    '  and delivery on disk on the way. A bare server syncs message and decision, two writes, and posts the body.',
  );
  const trips = startTrips();
  const sinkUrl = await trips.line();
  const peer = await startAlertmanager(sinkUrl);
  const bare = await startTwoSyncs(sinkUrl);
  const server = await startServer({ env: outboundToLoopback });
  const path = await makeAlertPath(server, { webhookUrl: sinkUrl });
  const ours = [];
  const theirs = [];
  const bares = [];
  const writes = [];
  try {
    await trips.measure({ url: path.receiveUrl, prefix: 'warm-ours', count: warmUpCount, list: false });
    await trips.measure({ url: peer.url, prefix: 'warm-peer', count: warmUpCount, list: true });
    await trips.measure({ url: bare.url, prefix: 'warm-bare', count: warmUpCount, list: false });
    for (let round = 1; round <= rounds; round++) {
      const a = await trips.measure({ url: path.receiveUrl, prefix: `ours-${round}`, count, list: false });
      const b = await trips.measure({ url: peer.url, prefix: `peer-${round}`, count, list: true });
      const c = await trips.measure({ url: bare.url, prefix: `bare-${round}`, count, list: false });
      const d = bareWrites(server.data);
      ours.push(a);
      theirs.push(b);
      bares.push(c);
      writes.push(d);
      say(
        `  round ${round}: ours p50 ${a.p50.toFixed(1)} ms, p99 ${a.p99.toFixed(1)} ms; Alertmanager p50 ` +
          `${b.p50.toFixed(1)} ms, p99 ${b.p99.toFixed(1)} ms; ratio ${(a.p50 / b.p50).toFixed(2)}; bare p50 ` +
          `${c.p50.toFixed(1)} ms, p99 ${c.p99.toFixed(1)} ms; one write with fdatasync p50 ${d.p50.toFixed(2)} ms, p99 ` +
          `${d.p99.toFixed(2)} ms; load ${loadavg()[0].toFixed(1)}`,
      );
    }
  } finally {
    trips.stop();
    await server.stop();
    await peer.stop();
    await bare.stop();
  }
  const rows = (peers, peerName, suffix) =>
    ['p50', 'p99'].map((which) => {
      const figure = compare(which, ours, peers);
      return { ...figure, name: `${figure.name}${suffix}`, peerName };
    });
  const [typical, ...others] = rows(theirs, `Alertmanager ${version}`, '');
  return [
    { ...typical, aim: '< 3', met: typical.ratio < 3 },
    ...others,
    ...rows(bares, 'bare server with two syncs', ' against a bare server'),
    ...rows(writes, 'one write with fdatasync', ' against one write').map((figure) => ({
      ...figure,
      aim: '<= 4',
      met: figure.ratio <= 4,
    })),
  ];
}

const ratiosOf = (which, ours, theirs) => ours.map((one, index) => one[which] / theirs[index][which]);

function compare(which, ours, theirs) {
  const ratios = ratiosOf(which, ours, theirs);
  return {
    name: `latency ${which}`,
    unit: ' ms',
    ours: median(ours.map((one) => one[which])),
    peer: median(theirs.map((one) => one[which])),
    ratio: median(ratios),
    spread: spread(ratios, 2),
  };
}

function startTrips() {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./support/round-trip.mjs', import.meta.url))],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the measuring process has ended');
    return value;
  };
  return {
    line,
    async measure(plan) {
      child.stdin.write(`${JSON.stringify(plan)}\n`);
      return JSON.parse(await line());
    },
    stop: () => child.stdin.end(),
  };
}
