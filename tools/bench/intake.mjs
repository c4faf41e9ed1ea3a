// How many distinct messages are taken in a second: ours on disk before the answer, the peer's in memory.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { alertmanagerVersion, startAlertmanager } from './alertmanager.mjs';
import { callApi, makeAlertPath, startServer } from './lab.mjs';
import { median, spread } from './statistics.mjs';

const rounds = 5;
const requests = 5000;
const connections = 16;

export async function benchIntake({ say }) {
  const version = alertmanagerVersion();
  if (!version) return [{ name: 'intake', skipped: 'prometheus-alertmanager is not installed' }];
  say(
    `intake: ${requests} distinct posts over ${connections} connections, ${rounds} rounds in turn, against`,
  );
  say(
    `  Alertmanager ${version}. Ours is on disk (fsync) before the answer, and each message is decided by a rule and`,
  );
  say(
    '  raises an event meanwhile; Alertmanager keeps alerts in memory and notifies nobody. Same bytes, same client.',
  );
  const peer = await startAlertmanager();
  // As fast as it goes; the limit of a slot is another matter.
  const server = await startServer({ env: { YAGURA_SLOT_RATE: '0' } });
  const path = await makeAlertPath(server);
  const ours = [];
  const theirs = [];
  const decided = [];
  try {
    await load({ url: path.receiveUrl, prefix: 'warm', requests: 500, list: false, expect: 202 });
    await load({ url: peer.url, prefix: 'warm', requests: 500, list: true, expect: 200 });
    let taken = 500;
    await settled(server, path, taken);
    for (let round = 1; round <= rounds; round++) {
      const begun = performance.now();
      const a = await load({ url: path.receiveUrl, prefix: `r${round}`, requests, list: false, expect: 202 });
      taken += requests;
      await settled(server, path, taken);
      decided.push(requests / ((performance.now() - begun) / 1000));
      const b = await load({ url: peer.url, prefix: `r${round}`, requests, list: true, expect: 200 });
      ours.push(a.perSecond);
      theirs.push(b.perSecond);
      say(
        `  round ${round}: ours ${a.perSecond.toFixed(0)}/s (p50 ${a.p50.toFixed(1)} ms, p99 ${a.p99.toFixed(1)} ms, ` +
          `decided ${decided.at(-1).toFixed(0)}/s), Alertmanager ${b.perSecond.toFixed(0)}/s (p50 ${b.p50.toFixed(1)} ms, ` +
          `p99 ${b.p99.toFixed(1)} ms), ratio ${(a.perSecond / b.perSecond).toFixed(2)}, load ${loadavg()[0].toFixed(1)}`,
      );
    }
  } finally {
    await server.stop();
    await peer.stop();
  }
  const ratios = ours.map((rate, index) => rate / theirs[index]);
  const decidedRatios = decided.map((rate, index) => rate / theirs[index]);
  const facts = { unit: '/s', ours: median(ours), peer: median(theirs), peerName: `Alertmanager ${version}` };
  return [
    {
      ...facts,
      name: 'intake',
      ratio: median(ratios),
      aim: '>= 1',
      met: median(ratios) >= 1,
      spread: spread(ratios, 2),
    },
    {
      ...facts,
      name: 'intake until decided',
      ours: median(decided),
      ratio: median(decidedRatios),
      spread: spread(decidedRatios, 2),
    },
  ];
}

/** Runs the load generator as its own process and gives what it printed. */
export function load(plan) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('./load.mjs', import.meta.url)), JSON.stringify({ connections, ...plan })],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let printed = '';
    child.stdout.on('data', (part) => {
      printed += part;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(printed)) : reject(new Error(`the load generator ended with ${code}`)),
    );
  });
}

/** Resolves when every message is decided: the severity of the scope counts them. */
export async function settled(server, { scopeId }, count) {
  for (let tries = 0; tries < 1200; tries++) {
    const scope = await callApi(server, 'GET', `/api/apps/alerthub/scopes/${scopeId}`);
    if (scope.severity === count) return;
    if (scope.severity > count) throw new Error(`${scope.severity} events of ${count} messages`);
    await sleep(25);
  }
  throw new Error('the messages were not decided in time');
}
