// A burst of half a minute: what is answered meanwhile, how a list is answered meanwhile, and that all is decided afterwards.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './intake.mjs';
import { startSyncing } from './peers/fsync-peer.mjs';
import { listTimes } from './support/list-times.mjs';
import { median, quantile, spread } from './support/statistics.mjs';
import { callApi, makeAlertPath, startServer } from './testbed.mjs';

/** Duration of the burst; YAGURA_BENCH_SECONDS shortens it for quick comparisons. The aims apply to 30 seconds. */
const seconds = Number(process.env.YAGURA_BENCH_SECONDS ?? 30);
const rounds = 5;
const quietCalls = 200;
/** Milliseconds that the backlog may take to be decided. */
const settleWithin = 600_000;

export async function benchBurst({ say }) {
  say(
    `burst: ${seconds} s of posts over 16 connections, ${rounds} rounds in turn with a bare server that parses JSON and answers`,
  );
  say(
    '  after one fdatasync for all that came meanwhile. A list of ten scopes is asked for about 20 times a second, quiet and in the burst.',
  );
  const bare = await startSyncing();
  const server = await startServer({ env: { YAGURA_SLOT_RATE: '0' } });
  const posts = { requests: 10_000_000, list: false, expect: 202 };
  const postToBare = (prefix) => load({ url: bare.url, prefix, ...posts, seconds: seconds / 3 });
  try {
    const warm = await makeAlertPath(server);
    await load({ url: warm.receiveUrl, prefix: 'warm', requests: 1000, list: false, expect: 202 });
    await load({ url: bare.url, prefix: 'warm', requests: 1000, list: false, expect: 202 });
    await decided(server, warm, 1000);
    const measured = [];
    let before = await postToBare('bare-0');
    for (let round = 1; round <= rounds; round++) {
      // A scope of its own: the severity of a scope ends at 1,000,000, which two bursts can reach.
      const path = await makeAlertPath(server, { name: `burst-${round}` });
      const quiet = await listTimes(server, (calls) => calls < quietCalls);
      let isOver = false;
      const asking = listTimes(server, () => !isOver);
      const begun = performance.now();
      const ours = await load({ url: path.receiveUrl, prefix: `burst-${round}`, ...posts, seconds });
      isOver = true;
      const busy = await asking;
      await decided(server, path, ours.requests);
      const took = (performance.now() - begun) / 1000;
      // Measured after our backlog is decided, which would slow it down.
      const after = await postToBare(`bare-${round}`);
      const peer = (before.perSecond + after.perSecond) / 2;
      before = after;
      const lists = { quiet: quantile(quiet, 0.99), busy: quantile(busy, 0.99) };
      measured.push({ ours: ours.perSecond, peer, lists });
      say(
        `  round ${round}: ours ${ours.perSecond.toFixed(0)}/s (p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms), all ${ours.requests} ` +
          `decided after ${took.toFixed(0)} s; bare ${peer.toFixed(0)}/s, ratio ${(ours.perSecond / peer).toFixed(2)}; ` +
          `list p99 ${lists.quiet.toFixed(1)} and ${lists.busy.toFixed(1)} ms, load ${loadavg()[0].toFixed(1)}`,
      );
    }
    const ratios = measured.map(({ ours, peer }) => ours / peer);
    const listRatios = measured.map(({ lists }) => lists.busy / lists.quiet);
    return [
      {
        name: 'burst',
        unit: '/s',
        ours: median(measured.map(({ ours }) => ours)),
        peer: median(measured.map(({ peer }) => peer)),
        peerName: 'bare syncing server',
        ratio: median(ratios),
        aim: '>= 0.9',
        met: median(ratios) >= 0.9,
        spread: spread(ratios, 2),
      },
      {
        name: 'list p99 in the burst',
        unit: ' ms',
        ours: median(measured.map(({ lists }) => lists.busy)),
        peer: median(measured.map(({ lists }) => lists.quiet)),
        peerName: 'quiet',
        ratio: median(listRatios),
        aim: '<= 2',
        met: median(listRatios) <= 2,
        spread: spread(listRatios, 2),
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
  let severity = 0;
  while (performance.now() < until) {
    ({ severity } = await callApi(server, 'GET', `/api/apps/alerthub/scopes/${scopeId}`));
    if (severity === count) return;
    if (severity > count) throw new Error(`${severity} events of ${count} messages`);
    await sleep(100);
  }
  throw new Error(`${severity} of ${count} messages were decided in time`);
}
