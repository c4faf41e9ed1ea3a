// Kills the real server again and again under load and proves that nothing answered was lost or done twice.
// Usage: node tools/crash.mjs [--rounds 20] [--posts 2000] [--seed N] [--postgresql] [--journal] [--keep]
// With --postgresql the store is a PostgreSQL server of its own, which is killed in turn with ours; with --journal as well,
// a journal in the data folder receives in front of it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { hideHolder, leaveEmptyFiles } from './crash/damage.mjs';
import { bodyOf, postAll } from './crash/post-messages.mjs';
import { startPostgresql } from './crash/postgresql.mjs';
import { seededRandom } from './crash/random.mjs';
import { mailAll } from './crash/send-mails.mjs';
import { prove, proveLarge, proveMails, withTitle } from './crash/verify.mjs';

const fixture = (file) => tsImport(`../fixtures/src/${file}`, import.meta.url);
const { freePort } = await fixture('testbed/free-port.ts');
const { startServer } = await fixture('testbed/server-process.ts');
const { callApi, listAll } = await fixture('testbed/api.ts');
const { makeAlertPath } = await fixture('testbed/alert-path.ts');
const { startHttpSink } = await fixture('sink/http-sink.ts');

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    posts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String((Date.now() % 999_999) + 1) },
    postgresql: { type: 'boolean', default: false },
    journal: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const rounds = wholeNumber('rounds', 1000);
const postCount = wholeNumber('posts', 1_000_000);
const seed = wholeNumber('seed', 2 ** 32);
const random = seededRandom(seed);
const token = `crash-test-token-of-no-other-server-${seed}`;
const connections = 16;
/** Mails come in beside the posts, one for this many of them, over so many connections. */
const mailEvery = 10;
const mailConnections = 2;
/** One post in this many carries no Idempotency-Key. */
const plainEvery = 4;
/** One post in this many is so large that the embedded engine stores it by several statements. */
const largeEvery = 100;
const largePadding = 2_000_000;
/** In one round of this many another server takes the folder over from one that is stopped, not killed. */
const takeOverEvery = 5;
const takeOverIn = 2;
/** Starts that are killed before they are ready, or shortly after it, between two rounds. */
const mostKilledStarts = 3;
/** Milliseconds until everything that waits must be done after the last start. */
const settleWithin = 120_000;

const data = await mkdtemp(join(tmpdir(), 'yagura-crash-'));
// Slow enough that a kill finds deliveries under way.
const sink = await startHttpSink({ behaviour: { kind: 'delay', milliseconds: 15 } });
let port = await freePort();
let mailPort = await freePort();
const postgresql = values.postgresql ? await startPostgresql(await freePort()) : undefined;
if (values.postgresql && !postgresql) {
  console.error('--postgresql: no PostgreSQL found; set YAGURA_TEST_POSTGRESQL_BIN or install it');
  process.exit(2);
}
/** Whether messages are acknowledged from a journal in the data folder. */
const hasJournal = values.journal || !postgresql;
let passed = 0;
let failed = 0;

console.log(
  `seed ${seed}: ${postCount} posts, ${rounds} rounds${postgresql ? ' on PostgreSQL' : ''}${postgresql && hasJournal ? ' with a journal' : ''}`,
);
try {
  await main();
} finally {
  await sink.close();
  postgresql?.remove();
  if (values.keep) console.log(`data kept in ${data}`);
  else await rm(data, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function main() {
  let server = await start();
  const path = await makeAlertPath(server, { webhookUrl: sink.url });
  let waiting = Array.from({ length: postCount }, (_, index) => {
    const title = `post ${seed}-${index}`;
    const padding = index % largeEvery === largeEvery / 2 ? largePadding : 0;
    return { title, padding, ...(index % plainEvery === 0 ? {} : { key: `key of ${title}` }) };
  });
  const mails = await makeMailSlot(server);
  mails.waiting = Array.from(
    { length: Math.ceil(postCount / mailEvery) },
    (_, index) => `mail ${seed}-${index}`,
  );
  const answers = [];
  /** Sent without a key and never answered: nobody was promised anything. */
  const unknown = [];
  for (let round = 1; round <= rounds; round++) {
    const share = waiting.splice(0, Math.ceil(waiting.length / (rounds + 2 - round)));
    const killAfter = Math.floor(random() * share.length);
    const pause = random() ** 2 * 200;
    const mailing = mailShare(mails, rounds + 2 - round);
    const ending = endingOf(round);
    const begun = Date.now();
    const posting = await postUntilEnded(server, path, share, { killAfter, pause, ending });
    const { answered, unanswered, unsent } = posting;
    const taken = await mailing;
    answers.push(...answered);
    unknown.push(...unanswered.filter((post) => !post.key));
    const again = unanswered.filter((post) => post.key);
    waiting = [...again, ...unsent, ...waiting];
    server = posting.server;
    let killedStarts = 0;
    if (!server) {
      killedStarts = Math.floor(random() * (mostKilledStarts + 1));
      for (let count = 0; count < killedStarts; count++) {
        if (hasJournal) leaveEmptyFiles(data, random);
        const early = waiting.splice(0, Math.floor(random() * 8));
        const begun = await startAndKill(path, early);
        answers.push(...begun.answered);
        unknown.push(...begun.unanswered.filter((post) => !post.key));
        waiting.unshift(...begun.unanswered.filter((post) => post.key), ...begun.unsent);
      }
      if (hasJournal) leaveEmptyFiles(data, random);
      server = await start();
    }
    console.log(
      `round ${round}: ${answered.length} answered, ${taken} mails taken, ${ending} ${pause.toFixed(0)} ms after answer ${killAfter}, ` +
        `${unanswered.length} unanswered (${again.length} to repeat), ${sink.requests.length} deliveries so far, ` +
        `up again after ${((Date.now() - begun) / 1000).toFixed(1)} s and ${killedStarts} killed starts`,
    );
  }
  const { answered, unanswered, unsent } = await postAll(path.receiveUrl, waiting, { connections });
  if (unanswered.length + unsent.length > 0) throw new Error(`the server took no more:\n${server.log()}`);
  answers.push(...answered);
  console.log(`end: ${answered.length} answered, ${await mailShare(mails, 1)} mails taken`);
  await judge(server, path, answers, unknown, mails);
  await server.stop();
}

function start(signal) {
  return startServer({
    data,
    port,
    ...(signal ? { signal } : {}),
    env: {
      YAGURA_BOOTSTRAP_TOKEN: token,
      YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
      YAGURA_SLOT_RATE: '0',
      YAGURA_MAIL_PORT: String(mailPort),
      ...(postgresql ? { DATABASE_URL: postgresql.url } : {}),
      ...(values.journal ? { YAGURA_INTAKE_JOURNAL: 'on' } : {}),
    },
  });
}

async function makeMailSlot(server) {
  const body = { displayName: 'mails', kind: 'email' };
  const slot = await callApi(server, 'POST', '/api/apps/alerthub/receive-slots', body);
  const to = slot.primary.replace(/^mailto:/, '');
  return { to, receiveSlotId: slot.receiveSlotId, waiting: [], taken: [], unknown: [] };
}

/** Sends a share of the mails that wait, and gives how many were taken; one whose fate is unknown is not sent again. */
async function mailShare(mails, shares) {
  const share = mails.waiting.splice(0, Math.ceil(mails.waiting.length / shares));
  const { taken, unknown, unsent } = await mailAll({ ...mails, port: mailPort }, share, {
    connections: mailConnections,
  });
  mails.taken.push(...taken);
  mails.unknown.push(...unknown);
  mails.waiting.unshift(...unsent);
  return taken.length;
}

/** What ends a round. */
function endingOf(round) {
  const endings = [
    'server killed',
    'PostgreSQL killed',
    'both killed',
    ...(hasJournal ? ['taken over'] : []),
  ];
  if (postgresql) return endings[round % endings.length];
  return round % takeOverEvery === takeOverIn ? 'taken over' : 'server killed';
}

/** Kills a server while it starts, or shortly after it has begun to take posts; gives what became of these. */
async function startAndKill(path, posts) {
  const nothing = { answered: [], unanswered: [], unsent: posts };
  const killer = new AbortController();
  const timer = random() < 0.5 ? setTimeout(() => killer.abort(), random() * 1500) : undefined;
  try {
    const server = await start(killer.signal);
    clearTimeout(timer);
    const posting = postAll(path.receiveUrl, posts, { connections });
    await Promise.race([posting, sleep(random() * 60)]);
    await server.kill();
    return await posting;
  } catch (error) {
    if (!killer.signal.aborted) throw error;
    return nothing;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the server some time after the given number of answers, or of all when fewer come; gives the next one if it runs. */
async function postUntilEnded(server, path, posts, { killAfter, pause, ending }) {
  let reached;
  const enough = new Promise((resolve) => {
    reached = resolve;
  });
  const onAnswer = (count) => count >= killAfter && reached();
  const posting = postAll(path.receiveUrl, posts, { connections, onAnswer });
  await Promise.race([enough, posting]);
  await sleep(pause);
  let next;
  if (ending === 'taken over') next = await takeOver(server, path);
  else if (ending === 'PostgreSQL killed') next = await killStore(server);
  else {
    if (ending === 'both killed') await postgresql.kill();
    await server.kill();
    if (ending === 'both killed') await postgresql.start();
  }
  return { ...(await posting), server: next };
}

/** Stops the server, starts another on its folder, lets the first go on, and waits for its end. */
async function takeOver(server, path) {
  process.kill(server.pid, 'SIGSTOP');
  hideHolder(data);
  port = await freePort();
  mailPort = await freePort();
  const next = await start();
  process.kill(server.pid, 'SIGCONT');
  for (let waited = 0; !server.log().includes('Yagura stops:'); waited += 50) {
    if (waited > 20_000) throw new Error(`the server that lost its folder goes on:\n${server.log()}`);
    await sleep(50);
  }
  await server.kill();
  const url = new URL(path.receiveUrl);
  url.port = String(port);
  path.receiveUrl = url.href;
  return next;
}

/** Kills PostgreSQL under the server, which goes on when it is back. */
async function killStore(server) {
  await postgresql.kill();
  await sleep(random() * 500);
  await postgresql.start();
  for (let waited = 0; ; waited += 100) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.ok) return server;
    if (waited > 30_000) throw new Error(`the server does not come back:\n${server.log()}`);
    await sleep(100);
  }
}

async function judge(server, path, answers, unknown, mails) {
  const begun = Date.now();
  const answered = new Set(answers.map(({ post }) => post.title)).size;
  let found;
  // The lists are read beside one another, so an earlier one may lack what a later one has: nothing may be left in two
  // reads, and what the journal has taken must be stored.
  for (let quiet = 0; quiet < 2 && Date.now() - begun < settleWithin; ) {
    await sleep(200);
    found = await findAll(server, path, mails);
    quiet = isBusy(found) || found.messages.length < answered ? 0 : quiet + 1;
  }
  console.log(`settled ${((Date.now() - begun) / 1000).toFixed(1)} s after the last answer`);

  const deliveries = sink.requests.map(({ headers, body }) => ({
    deliveryId: headers['webhook-id'],
    title: JSON.parse(body).title,
  }));
  const repeats = deliveries.length - new Set(deliveries.map(({ deliveryId }) => deliveryId)).size;
  console.log(
    `${mails.taken.length} mails taken, ${mails.unknown.length} without an answer, ${found.stored.length} stored; ` +
      `${answers.length} answered, ${unknown.length} without a key and without an answer, ${found.messages.length} stored, ` +
      `${found.events.length} events, ${found.records.length} action records, ${deliveries.length} deliveries of which ` +
      `${repeats} repeats`,
  );
  const proofs = [
    ...prove({ answers, unknown, deliveries, ...found }),
    ...proveMails(mails, found.stored),
    proveLarge(await readLarge(server, answers)),
  ];
  for (const { what, count, wrong } of proofs) {
    if (wrong.length === 0) passed++;
    else failed++;
    console.log(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${what} (${count - wrong.length} of ${count})`);
    for (const one of wrong.slice(0, 5)) console.log(`       ${JSON.stringify(one)?.slice(0, 400)}`);
  }
}

/** The large messages that were answered, with what is stored of them. */
async function readLarge(server, answers) {
  const read = [];
  for (const { post, messageId } of answers) {
    if (!post.padding) continue;
    const reply = await fetch(`${server.origin}/api/apps/alerthub/message/detail/${messageId}/raw`, {
      headers: { 'x-authorization': `Token ${server.token}` },
    });
    read.push({ title: post.title, isWhole: reply.ok && (await reply.text()) === bodyOf(post) });
  }
  return read;
}

async function findAll(server, path, mails) {
  const scopePath = `/api/apps/alerthub/scopes/${path.scopeId}`;
  const [messages, events, records, scope] = await Promise.all([
    listAll(server, '/api/apps/alerthub/message/list', { sort: 'receivedAt' }),
    listAll(server, `${scopePath}/events`, { sort: 'createdAt' }),
    listAll(server, '/api/apps/alerthub/action-records', { sort: 'createdAt' }),
    callApi(server, 'GET', scopePath),
  ]);
  const isMail = ({ receiveSlotId }) => receiveSlotId === mails.receiveSlotId;
  return {
    messages: messages.filter((message) => !isMail(message)).map(withTitle),
    stored: messages.filter(isMail),
    events,
    records,
    severity: scope.severity,
  };
}

function isBusy({ messages, stored, records }) {
  return (
    [...messages, ...stored].some((message) => message.evaluatedAt === null) ||
    records.some((record) => record.status === 'waiting' || record.status === 'processing')
  );
}

function wholeNumber(name, most) {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  console.error(`--${name}: give a whole number from 1 to ${most}`);
  process.exit(2);
}
