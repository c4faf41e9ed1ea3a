// How many distinct messages are taken in a second: ours and a bare server's on disk before the answer, another's in memory.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { alertmanagerVersion, startAlertmanager } from './peers/alertmanager.mjs';
import { startSyncing } from './peers/fsync-peer.mjs';
import { median, spread } from './support/statistics.mjs';
import { callApi, makeAlertPath, startServer } from './testbed.mjs';

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
    '  raises an event meanwhile; Alertmanager keeps alerts in memory and notifies nobody. Same bytes, same client. The bare',
  );
  say(
    '  server parses JSON and answers after one fdatasync for all that came meanwhile. Who begins changes by round.',
  );
  const peer = await startAlertmanager();
  const bare = await startSyncing();
  // As fast as it goes; the limit of a slot is another matter.
  const server = await startServer({ env: { YAGURA_SLOT_RATE: '0' } });
  const path = await makeAlertPath(server);
  const ours = [];
  const theirs = [];
  const decided = [];
  const bares = [];
  try {
    await load({ url: path.receiveUrl, prefix: 'warm', requests: 500, list: false, expect: 202 });
    await load({ url: peer.url, prefix: 'warm', requests: 500, list: true, expect: 200 });
    await load({ url: bare.url, prefix: 'warm', requests: 500, list: false, expect: 202 });
    let taken = 500;
    await settled(server, path, taken);
    for (let round = 1; round <= rounds; round++) {
      const prefix = `r${round}`;
      const measured = {};
      const turns = {
        async ours() {
          const begun = performance.now();
          const figures = await load({ url: path.receiveUrl, prefix, requests, list: false, expect: 202 });
          taken += requests;
          await settled(server, path, taken);
          decided.push(requests / ((performance.now() - begun) / 1000));
          return figures;
        },
        bare: () => load({ url: bare.url, prefix, requests, list: false, expect: 202 }),
        peer: () => load({ url: peer.url, prefix, requests, list: true, expect: 200 }),
      };
      const names = Object.keys(turns);
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + turn) % names.length];
        measured[name] = await turns[name]();
      }
      const { ours: a, bare: c, peer: b } = measured;
      ours.push(a.perSecond);
      theirs.push(b.perSecond);
      bares.push(c.perSecond);
      say(
        `  round ${round}: ours ${a.perSecond.toFixed(0)}/s (p50 ${a.p50.toFixed(1)} ms, p99 ${a.p99.toFixed(1)} ms, ` +
          `decided ${decided.at(-1).toFixed(0)}/s), Alertmanager ${b.perSecond.toFixed(0)}/s (p50 ${b.p50.toFixed(1)} ms, ` +
          `p99 ${b.p99.toFixed(1)} ms), bare ${c.perSecond.toFixed(0)}/s (p50 ${c.p50.toFixed(1)} ms, p99 ${c.p99.toFixed(1)} ms), ` +
          `ratios ${(a.perSecond / b.perSecond).toFixed(2)} and ${(a.perSecond / c.perSecond).toFixed(2)}, load ${loadavg()[0].toFixed(1)}`,
      );
    }
  } finally {
    await server.stop();
    await bare.stop();
    await peer.stop();
  }
  const bareRatios = ours.map((rate, index) => rate / bares[index]);
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
      name: 'intake against a bare syncing server',
      unit: '/s',
      ours: median(ours),
      peer: median(bares),
      peerName: 'bare syncing server',
      ratio: median(bareRatios),
      aim: '>= 0.9',
      met: median(bareRatios) >= 0.9,
      spread: spread(bareRatios, 2),
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
      [
        fileURLToPath(new URL('./support/load.mjs', import.meta.url)),
        JSON.stringify({ connections, ...plan }),
      ],
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
