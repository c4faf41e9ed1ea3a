// How long the list of messages takes where very many are stored: pages, filters, words.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commonWord, layMessages, rareWord } from './support/seed-messages.mjs';
import { median, spread } from './support/statistics.mjs';
import { callApi, startServer } from './testbed.mjs';

const turns = 15;
/** Milliseconds. */
const limit = 30;

/** `messages` are laid in the embedded engine, or in the empty database whose URL is given. */
export async function benchScale({ say, messages, database }) {
  const data = await mkdtemp(join(tmpdir(), 'yagura-bench-scale-'));
  const env = database ? { DATABASE_URL: database } : {};
  try {
    say(
      `scale: ${messages} stored messages of a month in 10 slots (${database ? 'PostgreSQL' : 'embedded engine'}), each`,
    );
    say(`  call ${turns} times over HTTP with a token, against ${limit} ms`);
    const first = await startServer({ data, env });
    const place = await makeSlots(first);
    await first.stop();
    const begun = performance.now();
    await layMessages(database ? { databaseUrl: database } : { folder: data }, { count: messages, ...place });
    say(`  laid in ${((performance.now() - begun) / 1000).toFixed(0)} s, load ${loadavg()[0].toFixed(1)}`);
    const server = await startServer({ data, env });
    try {
      return await measure(server, place, messages);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function makeSlots(server) {
  const { spaceId } = await callApi(server, 'GET', '/api/space');
  const slotIds = [];
  for (let number = 1; number <= 10; number++) {
    const body = { displayName: `slot ${number}` };
    const slot = await callApi(server, 'POST', '/api/apps/alerthub/receive-slots', body);
    slotIds.push(slot.receiveSlotId);
  }
  return { spaceId, slotIds };
}

async function measure(server, { slotIds }, messages) {
  const ago = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
  const calls = [
    ['the floor: a list of 10 slots', {}, '/api/apps/alerthub/receive-slots'],
    ['10 rows', { limit: 10 }],
    ['50 rows', { limit: 50 }],
    ['100 rows', { limit: 100 }],
    ['by slot', { limit: 50, filter: `receiveSlotId eq "${slotIds[3]}"` }],
    ['by time', { limit: 50, sinceAt: ago(12), untilAt: ago(11) }],
    ['oldest first', { limit: 50, sort: 'receivedAt' }],
    ['page 101', { limit: 50, offset: 5000 }],
    ['a rare word', { limit: 50, search: rareWord }],
    ['a word of every third', { limit: 50, search: commonWord }],
    ['part of the summary of every third', { limit: 50, filter: 'summary co "ile system /va"' }],
    ['part of the summary of twenty', { limit: 50, filter: `summary co "${rareWord.slice(2, 8)}"` }],
  ];
  const figures = [];
  for (const [name, query, path = '/api/apps/alerthub/message/list'] of calls) {
    const times = [];
    for (let turn = 0; turn <= turns; turn++) {
      const begun = performance.now();
      const page = await callApi(server, 'GET', `${path}?${new URLSearchParams(query)}`);
      times.push(performance.now() - begun);
      const wanted = name.includes('twenty') || name.includes('rare') ? 20 : (query.limit ?? 10);
      if (page.items.length < Math.min(wanted, messages))
        throw new Error(`${name}: ${page.items.length} rows of ${wanted}`);
    }
    // The first one warms up.
    const usual = median(times.slice(1));
    figures.push({
      name: `messages at ${messages}, ${name}`,
      unit: ' ms',
      ours: usual,
      peer: limit,
      peerName: 'limit',
      ratio: usual / limit,
      aim: '<= 1',
      met: usual <= limit,
      spread: `first ${times[0].toFixed(0)}, then ${spread(times.slice(1), 0)} ms`,
    });
  }
  figures.push(await meanwhile(server, messages));
  return figures;
}

/** How long others wait for ten rows while one call reads all messages. */
async function meanwhile(server, messages) {
  const list = (query) =>
    callApi(server, 'GET', `/api/apps/alerthub/message/list?${new URLSearchParams(query)}`);
  let isReading = true;
  const reading = list({ limit: 50, filter: 'summary co "that nothing says"' }).finally(() => {
    isReading = false;
  });
  const times = [];
  while (isReading) {
    const begun = performance.now();
    await list({ limit: 10 });
    times.push(performance.now() - begun);
  }
  await reading;
  const longest = Math.max(...times);
  return {
    name: `messages at ${messages}, the longest of ${times.length} lists of 10 rows while a filter reads all`,
    unit: ' ms',
    ours: longest,
    peer: median(times),
    peerName: 'usual of them',
    ratio: longest / median(times),
    spread: `${spread(times, 0)} ms`,
  };
}
