// A burst of half a minute: what is answered meanwhile, how a list is answered meanwhile, and that all is decided afterwards.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './intake.mjs';
import { startSyncing } from './peers/fsync-peer.mjs';
import { listTimes } from './support/list-times.mjs';
import { quantile } from './support/statistics.mjs';
import { callApi, makeAlertPath, startServer } from './testbed.mjs';

/** Duration of the burst; YAGURA_BENCH_SECONDS shortens it for quick comparisons. The aims apply to 30 seconds. */
const seconds = Number(process.env.YAGURA_BENCH_SECONDS ?? 30);
const quietCalls = 200;
/** Milliseconds that the backlog may take to be decided. */
const settleWithin = 600_000;

export async function benchBurst({ say }) {
  say(
    `burst: ${seconds} s of posts over 16 connections, against a bare server that parses JSON and answers after one`,
  );
  say(
    '  fdatasync for all that came meanwhile. A list of ten scopes is asked for about 20 times a second, quiet and in the burst.',
  );
  const bare = await startSyncing();
  const server = await startServer({ env: { YAGURA_SLOT_RATE: '0' } });
  try {
    const path = await makeAlertPath(server);
    await load({ url: path.receiveUrl, prefix: 'warm', requests: 1000, list: false, expect: 202 });
    await load({ url: bare.url, prefix: 'warm', requests: 1000, list: false, expect: 202 });
    await decided(server, path, 1000);
    const quiet = await listTimes(server, (calls) => calls < quietCalls);
    const plan = { requests: 10_000_000, seconds, list: false, expect: 202 };
    const before = await load({ url: bare.url, prefix: 'before', ...plan, seconds: seconds / 2 });
    let isOver = false;
    const asking = listTimes(server, () => !isOver);
    const begun = performance.now();
    const ours = await load({ url: path.receiveUrl, prefix: 'burst', ...plan });
    isOver = true;
    const busy = await asking;
    await decided(server, path, 1000 + ours.requests);
    const took = (performance.now() - begun) / 1000;
    // Measured last, because evaluating our backlog would slow it down.
    const after = await load({ url: bare.url, prefix: 'after', ...plan, seconds: seconds / 2 });
    const peer = (before.perSecond + after.perSecond) / 2;
    say(
      `  ours ${ours.perSecond.toFixed(0)}/s (p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms), all ${ours.requests} ` +
        `decided after ${took.toFixed(0)} s; bare ${before.perSecond.toFixed(0)}/s before and ${after.perSecond.toFixed(0)}/s after; ` +
        `list p50 ${quantile(quiet, 0.5).toFixed(1)} and ${quantile(busy, 0.5).toFixed(1)} ms, load ${loadavg()[0].toFixed(1)}`,
    );
    const ratio = ours.perSecond / peer;
    const listRatio = quantile(busy, 0.99) / quantile(quiet, 0.99);
    return [
      {
        name: 'burst',
        unit: '/s',
        ours: ours.perSecond,
        peer,
        peerName: 'bare syncing server',
        ratio,
        aim: '>= 0.9',
        met: ratio >= 0.9,
      },
      {
        name: 'list p99 in the burst',
        unit: ' ms',
        ours: quantile(busy, 0.99),
        peer: quantile(quiet, 0.99),
        peerName: 'quiet',
        ratio: listRatio,
        aim: '<= 2',
        met: listRatio <= 2,
      },
    ];
  } finally {
    await server.stop();
    await bare.stop();
  }
}

/** Resolves when exactly so many messages have raised their event; throws for more, and when it takes too long. */
async function decided(server, { scopeId }, count) {
  const until = performance.now() + settleWithin;
  while (performance.now() < until) {
    const { severity } = await callApi(server, 'GET', `/api/apps/alerthub/scopes/${scopeId}`);
    if (severity === count) return;
    if (severity > count) throw new Error(`${severity} events of ${count} messages`);
    await sleep(100);
  }
  throw new Error('the messages were not decided in time');
}
