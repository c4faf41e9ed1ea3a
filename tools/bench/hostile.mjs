// What a list takes while somebody attacks: p99 of a message list during each of a few bodies, mails and pages made to hurt.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { signedIn } from './support/sign-in.mjs';
import { quantile } from './support/statistics.mjs';
import { callApi, makeAlertPath, startServer } from './testbed.mjs';

/** Milliseconds that the p99 of a list may take meanwhile. */
const aim = 300;
/** Each attack is probed for at least this long. */
const atLeast = 3000;
const mega = 1024 * 1024;

export async function benchHostile({ say, attacks: wanted }) {
  say('hostile: the p99 of a message list during each attack, beside the p99 of the same server at rest');
  const figures = [];
  let calm;
  for (const [name, prepare] of Object.entries({ 'at rest': () => () => pause(atLeast), ...attacks })) {
    if (wanted && name !== 'at rest' && !wanted.includes(name)) continue;
    const server = await startServer({ env: { YAGURA_SLOT_RATE: '1000000' } });
    try {
      const found = await measure(server, await prepare(server));
      calm ??= found.list;
      say(
        `  ${name}: list p50 ${found.p50.toFixed(0)} p99 ${found.list.toFixed(0)} worst ${found.worst.toFixed(0)} ms, ` +
          `readiness p99 ${found.ready.toFixed(0)} ms, ${found.failed} of ${found.asked} failed, ` +
          `memory at most ${found.memory.toFixed(0)} MB, answers ${found.answers} in ${(found.took / 1000).toFixed(1)} s`,
      );
      if (name === 'at rest') continue;
      figures.push({
        name: `hostile ${name}`,
        unit: ' ms',
        ours: found.list,
        peer: calm,
        peerName: 'at rest',
        ratio: found.list / calm,
        aim: `p99 at most ${aim} ms`,
        met: found.list <= aim && found.failed === 0,
      });
    } catch (error) {
      say(`  ${name}: ${error.message.split('\n')[0]}`);
      figures.push({
        name: `hostile ${name}`,
        unit: ' ms',
        ours: 1e6,
        peer: 1,
        peerName: 'at rest',
        ratio: 1e6,
        aim: `p99 at most ${aim} ms`,
        met: false,
      });
    } finally {
      await server.kill();
      await server.remove?.();
    }
  }
  return figures;
}

/** Probes while the attack runs, and at least for a while. */
async function measure(server, attack) {
  const probe = new Worker(new URL('./support/hostile-probe.mjs', import.meta.url), {
    workerData: { origin: server.origin, token: server.token },
  });
  await pause(500);
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, residentMegabytes(server.pid));
  }, 100);
  const begun = performance.now();
  const answers = (await attack()) ?? [];
  const took = performance.now() - begun;
  await pause(Math.max(0, atLeast - took));
  clearInterval(watch);
  const samples = await new Promise((resolve) => {
    probe.once('message', resolve);
    probe.postMessage('stop');
  });
  await probe.terminate();
  const times = (list) => list.map(({ time }) => time);
  return {
    p50: quantile(times(samples.list), 0.5),
    list: quantile(times(samples.list), 0.99),
    worst: Math.max(...times(samples.list)),
    ready: quantile(times(samples.ready), 0.99),
    failed: samples.list.filter(({ status }) => status !== 200).length,
    asked: samples.list.length,
    memory,
    took,
    answers: counted(answers),
  };
}

function counted(answers) {
  const counts = new Map();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, count]) => `${count}x ${answer}`).join(', ') || 'none';
}

function residentMegabytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return 0;
  }
}

/** Sends one request and gives its status, or what broke the connection. */
function send(server, method, path, headers, body) {
  return new Promise((resolve) => {
    const request = http.request(server.origin + path, { method, headers, agent: false }, (reply) => {
      reply.resume();
      reply.once('close', () => resolve(reply.statusCode));
    });
    request.once('error', (error) => resolve(error.code));
    for (let at = 0; at < body.length; at += mega) request.write(body.subarray(at, at + mega));
    request.end();
  });
}

const json = { 'content-type': 'application/json' };
const known = (server) => ({ ...json, 'x-authorization': `Token ${server.token}` });
const zeros = (bytes) => Buffer.from(`[${'0,'.repeat(bytes / 2 - 1)}0]`);
const deep = (bytes) => Buffer.from('['.repeat(bytes / 2) + ']'.repeat(bytes / 2));
const keys = (count) =>
  Buffer.from(`{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`);
const runbooks = '/api/apps/alerthub/runbooks';
const times = (count, work) => Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const slotPath = async (server, kind) => {
  const slot = await callApi(server, 'POST', '/api/apps/alerthub/receive-slots', {
    displayName: kind,
    kind,
  });
  return kind === 'email'
    ? `/receive/mail/${encodeURIComponent(slot.primary)}`
    : new URL(slot.primary).pathname;
};

/** Once all are there, and decided. */
const messageIds = async (server, count) => {
  for (;;) {
    const page = await callApi(server, 'GET', '/api/apps/alerthub/message/list?limit=100');
    if (page.items.filter((item) => item.evaluatedAt !== null).length >= count)
      return page.items.map((item) => item.messageId);
    await pause(200);
  }
};

function mail(html) {
  const head =
    'From: a@example.com\r\nTo: b@example.com\r\nSubject: bomb\r\nMIME-Version: 1.0\r\nMessage-ID: <1@a>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n';
  return Buffer.from(head + html.replace(/.{900}/g, '$&\r\n'));
}

function withAttachment(index, bytes) {
  const line = `${'QUJD'.repeat(19)}\r\n`;
  const head =
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: ${index}\r\nMIME-Version: 1.0\r\nMessage-ID: <${index}@a>\r\n` +
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\n' +
    'Content-Type: application/zip\r\nContent-Disposition: attachment; filename=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  return Buffer.from(`${head}${line.repeat(bytes / line.length)}\r\n--b--\r\n`);
}

/** Opens what was made of it, in turn, as the console does. */
const openAll = (server, ids, what) => async () => {
  const path = (id) => `/api/apps/alerthub/message/detail/${id}${what}`;
  return times(ids.length, (index) => send(server, 'GET', path(ids[index]), known(server), Buffer.alloc(0)));
};

async function postAll(server, kind, bodies) {
  const path = await slotPath(server, kind);
  const type = { 'content-type': kind === 'email' ? 'message/rfc822' : 'application/json' };
  for (const body of bodies) await send(server, 'POST', path, type, body);
  return messageIds(server, bodies.length);
}

const htmlBomb = (html) => async (server) => {
  const ids = await postAll(server, 'email', [mail(html)]);
  return openAll(server, ids, '/html');
};

const formPost = (path, headers, bytes) => (server) =>
  send(
    server,
    'POST',
    path,
    { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    Buffer.alloc(bytes, 'a=b&'),
  );

/** By name: prepares a server, and gives the attack that is measured. */
const attacks = {
  'JSON without a token x10': (server) => () =>
    times(10, () => send(server, 'POST', runbooks, json, zeros(10 * mega - 10))),
  'exact JSON x3': (server) => () =>
    times(3, () => send(server, 'POST', runbooks, known(server), zeros(10 * mega - 10))),
  'deep JSON x3': (server) => () =>
    times(3, () => send(server, 'POST', '/api/apps/alerthub/rules', known(server), deep(10 * mega - 10))),
  '700,000 keys x3': (server) => () =>
    times(3, () => send(server, 'POST', '/api/apps/alerthub/rules', known(server), keys(700_000))),
  '40,000 wrong values x5': (server) => {
    const body = Buffer.from(`{"displayName":"a","steps":${zeros(80_000)}}`);
    return () => times(5, () => send(server, 'POST', runbooks, known(server), body));
  },
  'console form without a cookie, 100 MB': (server) => () =>
    formPost(
      '/apps/alerthub/scopes/new',
      { origin: server.origin, 'sec-fetch-site': 'same-origin' },
      100 * mega,
    )(server).then((answer) => [answer]),
  'console form of another site, 100 MB': (server) => () =>
    formPost(
      '/apps/alerthub/scopes/new',
      { origin: 'https://evil.example' },
      100 * mega,
    )(server).then((answer) => [answer]),
  'console form signed in, 20 MB': async (server) => {
    const cookies = await signedIn(server);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { origin: server.origin, 'sec-fetch-site': 'same-origin', cookie };
    return () => formPost('/apps/alerthub/scopes/new', headers, 20 * mega)(server).then((answer) => [answer]);
  },
  'HTML of nested tables': htmlBomb('<table><tr><td>'.repeat(70_000)),
  'HTML of nested bold': htmlBomb('<b>'.repeat(300_000)),
  'HTML of attributes': htmlBomb(`<p ${'a=1 '.repeat(250_000)}>`),
  'opening 20 mails of 20 MB': async (server) => {
    const bodies = Array.from({ length: 20 }, (_, index) => withAttachment(index, 20 * mega));
    const ids = await postAll(server, 'email', bodies);
    return openAll(server, ids.slice(0, 20), '/attachment?index=1');
  },
  'showing 25 large messages': async (server) => {
    const ids = await postAll(
      server,
      'webhook',
      Array.from({ length: 25 }, (_, index) => Buffer.from(`{"n":${index},"d":${zeros(9 * mega)}}`)),
    );
    return openAll(server, ids.slice(0, 25), '');
  },
  'list of 25 large messages': async (server) => {
    const path = await slotPath(server, 'webhook');
    const body = (index) => Buffer.from(`{"n":${index},"d":${zeros(9 * mega)}}`);
    return async () => {
      const answers = [];
      for (let index = 0; index < 25; index++)
        answers.push(await send(server, 'POST', path, json, body(index)));
      return answers;
    };
  },
  'rules that read hostile bodies': async (server) => {
    const path = new URL((await makeAlertPath(server)).receiveUrl).pathname;
    const attributes = Array.from({ length: 600_000 }, (_, index) => ` a${index}=""`).join('');
    const bodies = {
      'application/json': keys(700_000),
      'application/xml': Buffer.from(`<a${attributes}/>`),
      'application/x-www-form-urlencoded': Buffer.alloc(10 * mega, 'a&'),
      'application/x-ndjson': Buffer.alloc(10 * mega, '1\n'),
      'text/plain; charset=iso-2022-jp': Buffer.alloc(10 * mega, '\x1b('),
    };
    return async () => {
      const answers = [];
      for (const [type, body] of Object.entries(bodies))
        answers.push(await send(server, 'POST', path, { 'content-type': type }, body));
      return answers;
    };
  },
  'API document x200': (server) => () =>
    times(200, () =>
      send(server, 'GET', '/docs/api/openapi.json', { 'accept-encoding': 'gzip' }, Buffer.alloc(0)),
    ),
};
