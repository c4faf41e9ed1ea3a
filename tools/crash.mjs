// Kills the real server again and again under load and proves that nothing answered was lost or done twice.
// Usage: node tools/crash.mjs [--rounds 20] [--posts 2000] [--seed N] [--keep]
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { mailAll } from './crash/mail.mjs';
import { postAll } from './crash/post.mjs';
import { prove, proveMails } from './crash/prove.mjs';
import { seededRandom } from './crash/random.mjs';

const lab = (file) => tsImport(`../fixtures/src/${file}`, import.meta.url);
const { startServer } = await lab('lab/server.ts');
const { callApi, listAll } = await lab('lab/api.ts');
const { makeAlertPath } = await lab('lab/alert-path.ts');
const { startHttpSink } = await lab('sink/http-sink.ts');

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    posts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String((Date.now() % 999_999) + 1) },
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
/** A start is killed as well, in one round of this many. */
const killStartEvery = 4;
/** Milliseconds until everything that waits must be done after the last start. */
const settleWithin = 120_000;

const data = await mkdtemp(join(tmpdir(), 'yagura-crash-'));
// Slow enough that a kill finds deliveries under way.
const sink = await startHttpSink({ behaviour: { kind: 'delay', milliseconds: 15 } });
const port = await freePort();
const mailPort = await freePort();
let passed = 0;
let failed = 0;

console.log(`seed ${seed}: ${postCount} posts, ${rounds} kills`);
try {
  await main();
} finally {
  await sink.close();
  if (values.keep) console.log(`data kept in ${data}`);
  else await rm(data, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function main() {
  let server = await start();
  const path = await makeAlertPath(server, sink.url);
  let waiting = Array.from({ length: postCount }, (_, index) => {
    const title = `post ${seed}-${index}`;
    return index % plainEvery === 0 ? { title } : { title, key: `key of ${title}` };
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
    const { answered, unanswered, unsent } = await postUntilKilled(server, path, share, { killAfter, pause });
    const taken = await mailing;
    answers.push(...answered);
    unknown.push(...unanswered.filter((post) => !post.key));
    const again = unanswered.filter((post) => post.key);
    waiting = [...again, ...unsent, ...waiting];
    const begun = Date.now();
    const killedStart = round % killStartEvery === 0 && (await startAndKill());
    server = await start();
    console.log(
      `round ${round}: ${answered.length} answered, ${taken} mails taken, killed ${pause.toFixed(0)} ms after answer ${killAfter}, ` +
        `${unanswered.length} unanswered (${again.length} to repeat), ${sink.requests.length} deliveries so far, ` +
        `up again in ${((Date.now() - begun) / 1000).toFixed(1)} s${killedStart ? ' after a killed start' : ''}`,
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
    },
  });
}

async function makeMailSlot(server) {
  const body = { displayName: 'mails', kind: 'email' };
  const slot = await callApi(server, 'POST', '/api/apps/alerthub/receive-slots', body);
  const to = slot.primary.replace(/^mailto:/, '');
  return { to, port: mailPort, receiveSlotId: slot.receiveSlotId, waiting: [], taken: [], unknown: [] };
}

/** Sends a share of the mails that wait, and gives how many were taken; one whose fate is unknown is not sent again. */
async function mailShare(mails, shares) {
  const share = mails.waiting.splice(0, Math.ceil(mails.waiting.length / shares));
  const { taken, unknown, unsent } = await mailAll(mails, share, { connections: mailConnections });
  mails.taken.push(...taken);
  mails.unknown.push(...unknown);
  mails.waiting.unshift(...unsent);
  return taken.length;
}

/** True when the kill came before the server was ready. */
async function startAndKill() {
  const killer = new AbortController();
  const timer = setTimeout(() => killer.abort(), random() * 1500);
  try {
    const server = await start(killer.signal);
    await server.kill();
    return false;
  } catch (error) {
    if (!killer.signal.aborted) throw error;
    return true;
  } finally {
    clearTimeout(timer);
  }
}

/** Kills the server some time after the given number of answers, or of all when fewer come. */
async function postUntilKilled(server, path, posts, { killAfter, pause }) {
  let reached;
  const enough = new Promise((resolve) => {
    reached = resolve;
  });
  const onAnswer = (count) => count >= killAfter && reached();
  const posting = postAll(path.receiveUrl, posts, { connections, onAnswer });
  await Promise.race([enough, posting]);
  await sleep(pause);
  await server.kill();
  return posting;
}

async function judge(server, path, answers, unknown, mails) {
  const scopePath = `/api/apps/alerthub/scopes/${path.scopeId}`;
  const begun = Date.now();
  let found;
  do {
    await sleep(200);
    const [messages, events, records, scope] = await Promise.all([
      listAll(server, '/api/apps/alerthub/message/list', { sort: 'receivedAt' }),
      listAll(server, `${scopePath}/events`, { sort: 'createdAt' }),
      listAll(server, '/api/apps/alerthub/action-records', { sort: 'createdAt' }),
      callApi(server, 'GET', scopePath),
    ]);
    const isMail = ({ receiveSlotId }) => receiveSlotId === mails.receiveSlotId;
    found = {
      messages: messages.filter((message) => !isMail(message)),
      stored: messages.filter(isMail),
      events,
      records,
      severity: scope.severity,
    };
  } while (Date.now() - begun < settleWithin && isBusy(found));
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
  const proofs = [...prove({ answers, unknown, deliveries, ...found }), ...proveMails(mails, found.stored)];
  for (const { what, count, wrong } of proofs) {
    if (wrong.length === 0) passed++;
    else failed++;
    console.log(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${what} (${count - wrong.length} of ${count})`);
    for (const one of wrong.slice(0, 5)) console.log(`       ${JSON.stringify(one)?.slice(0, 400)}`);
  }
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

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: found } = probe.address();
      probe.close(() => resolve(found));
    });
  });
}
