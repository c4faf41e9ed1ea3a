// How many messages are taken in and decided in a second, what each costs the processor, and how fast a backlog is decided
// while nobody reads, beside another revision.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, settled } from './intake.mjs';
import { openRevision } from './revision.mjs';
import { median, quantile, spread } from './support/statistics.mjs';
import { callApi, makeAlertPath, startServer } from './testbed.mjs';

const rounds = 5;
const requests = 20_000;
/** Posts before the first round, so that both run compiled code. */
const warmUp = 2000;
const quietLists = 200;
const backlogRounds = 5;
/** Posts of a backlog, sent as fast as they are answered. */
const backlogRequests = 20_000;
const metricsToken = 'm'.repeat(40);
/** Milliseconds between two rounds, in which what a round left behind is put in order. */
const pause = 2000;

/** `against` names the revision to compare with, the one before this when absent. */
export async function benchDecide({ say, against = 'HEAD~1' }) {
  const other = await openRevision(against);
  say(
    `decide: ${requests} distinct posts over 16 connections until all are decided by a rule that raises an event,`,
  );
  say(
    `  ${rounds} rounds in turn, against ${other.commit}. Processor time is that of the whole server process.`,
  );
  const env = { YAGURA_SLOT_RATE: '0', YAGURA_METRICS_TOKEN: metricsToken };
  const sides = [];
  try {
    for (const [name, start] of [
      ['ours', startServer],
      [other.commit, other.startServer],
    ]) {
      const server = await start({ env });
      sides.push({ name, server, taken: 0, rates: [], costs: [], lists: [], backlogs: [] });
      const side = sides.at(-1);
      side.path = await makeAlertPath(server);
      await run(side, 'warm', warmUp);
      Object.assign(side, { rates: [], costs: [], lists: [] });
      side.quiet = await quietList(side);
    }
    for (let round = 1; round <= rounds; round++) {
      for (const side of sides) {
        await sleep(pause);
        await run(side, `r${round}`, requests);
      }
      const told = sides.map(
        ({ name, rates, costs }) =>
          `${name} ${rates.at(-1).toFixed(0)}/s, ${costs.at(-1).toFixed(3)} ms each`,
      );
      say(`  round ${round}: ${told.join('; ')}; load ${loadavg()[0].toFixed(1)}`);
    }
    for (let round = 1; round <= backlogRounds; round++) {
      for (const side of sides) {
        await sleep(pause);
        side.backlogs.push(await backlogRate(side, `b${round}`));
      }
      const told = sides.map(({ name, backlogs }) => `${name} ${backlogs.at(-1).toFixed(0)}/s`);
      say(`  backlog of ${backlogRequests} posts, round ${round}: ${told.join('; ')}`);
    }
  } finally {
    for (const { server } of sides) await server.stop();
    await other.remove();
  }
  return figures(sides, other.commit);
}

function figures([ours, theirs], peerName) {
  const compare = (name, unit, of) => {
    const ratios = of(ours).map((one, index) => one / of(theirs)[index]);
    const facts = { ours: median(of(ours)), peer: median(of(theirs)), ratio: median(ratios) };
    return { name, unit, peerName, ...facts, spread: spread(ratios, 2) };
  };
  const busy = quantile(ours.lists, 0.99);
  const backlog = compare('decide, a backlog', '/s', ({ backlogs }) => backlogs);
  return [
    { ...backlog, aim: '>= 3', met: backlog.ratio >= 3 },
    compare('decide', '/s', ({ rates }) => rates),
    compare('decide, processor time of a message', ' ms', ({ costs }) => costs),
    {
      name: 'decide, p99 of a list of 50 meanwhile',
      ...{ unit: ' ms', ours: busy, peer: ours.quiet, peerName: 'quiet', ratio: busy / ours.quiet },
      ...{ aim: '<= 2', met: busy <= 2 * ours.quiet, spread: `${ours.lists.length} lists` },
    },
  ];
}

/** Posts and waits until all is decided, listing messages meanwhile. */
async function run(side, prefix, count) {
  const { server, path } = side;
  const cost = processorTime(server.pid);
  const begun = performance.now();
  let isBusy = true;
  const listing = (async () => {
    while (isBusy) {
      side.lists.push(await timeOfList(server));
      await sleep(50);
    }
  })();
  await load({ url: path.receiveUrl, prefix, requests: count, list: false, expect: 202 });
  side.taken += count;
  await settled(server, path, side.taken);
  side.rates.push(count / ((performance.now() - begun) / 1000));
  side.costs.push((processorTime(server.pid) - cost) / count);
  isBusy = false;
  await listing;
}

/**
 * Messages decided in a second while others wait: between the last post and the last look at which some still waited, or
 * over the whole time where most were decided as fast as they were answered.
 */
async function backlogRate(side, prefix) {
  const { path } = side;
  const before = await decidedSoFar(side);
  const begun = performance.now();
  const plan = { url: path.receiveUrl, prefix, requests: backlogRequests, list: false, expect: 202 };
  await load(plan);
  const look = async () => ({ decided: (await decidedSoFar(side)) - before, at: performance.now() });
  const looks = [await look()];
  while (looks.at(-1).decided < backlogRequests) {
    await sleep(100);
    looks.push(await look());
  }
  side.taken += backlogRequests;
  const [first] = looks;
  const [from, to] =
    first.decided > backlogRequests / 2
      ? [{ decided: 0, at: begun }, looks.at(-1)]
      : [first, looks.at(looks.length > 2 ? -2 : -1)];
  return (to.decided - from.decided) / ((to.at - from.at) / 1000);
}

/** Metrics do not count as a reader; a revision without them is asked for the severity that each message raises. */
async function decidedSoFar({ server, path }) {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const metrics = await (await fetch(`${server.origin}/metrics`, { headers })).text();
  const decided = /^yagura_messages_decided_total (\d+)$/m.exec(metrics)?.[1];
  if (decided !== undefined) return Number(decided);
  return (await callApi(server, 'GET', `/api/apps/alerthub/scopes/${path.scopeId}`)).severity;
}

async function quietList({ server }) {
  await sleep(pause);
  const times = [];
  for (let turn = 0; turn < quietLists; turn++) times.push(await timeOfList(server));
  return quantile(times, 0.99);
}

async function timeOfList(server) {
  const begun = performance.now();
  await callApi(server, 'GET', '/api/apps/alerthub/message/list?limit=50');
  return performance.now() - begun;
}

const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Milliseconds that a process has had of all processors so far. Linux only. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks;
}
