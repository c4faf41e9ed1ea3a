// Documents of a list page a second: ours, with sign-in, permissions, drawer and store behind it, against a Remix page
// that draws the same rows as a plain table from memory.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareList } from './peers/baseline-list.mjs';
import { buildBarePage } from './peers/build-baseline-page.mjs';
import { signedIn } from './support/sign-in.mjs';
import { median, spread } from './support/statistics.mjs';
import { callApi, startServer } from './testbed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rounds = 5;
const documents = 150;
const connections = 4;
const path = '/apps/alerthub/scopes';

export async function benchListPage({ say }) {
  if (!existsSync(join(root, 'server', 'dist', 'main.js')))
    return [{ name: 'list page', skipped: 'server/dist is missing: run "npm run build" first' }];
  say(
    `list page: ${documents} documents of a list of ten rows over ${connections} connections, ${rounds} rounds in turn,`,
  );
  say(
    '  against a Remix page that draws the same rows as a plain table from memory, without anything around it',
  );
  const server = await startServer();
  const bare = await buildBarePage(root, bareList);
  let peer;
  try {
    for (let number = 1; number <= 30; number++)
      await callApi(server, 'POST', '/api/apps/alerthub/scopes', { displayName: `Switch ${number}` });
    const { items } = await callApi(server, 'GET', '/api/apps/alerthub/scopes?limit=10');
    peer = await servePage(bare.folder, items);
    const cookie = (await signedIn(server)).map(({ name, value }) => `${name}=${value}`).join('; ');
    const ours = { url: server.origin + path, headers: { cookie, 'accept-language': 'en' } };
    const theirs = { url: peer.url, headers: {} };
    await rateOf(ours);
    await rateOf(theirs);
    const rates = [];
    for (let round = 1; round <= rounds; round++) {
      rates.push({ our: await rateOf(ours), their: await rateOf(theirs) });
      const { our, their } = rates.at(-1);
      say(
        `  round ${round}: ours ${our.toFixed(0)}/s, bare ${their.toFixed(0)}/s, ratio ${(our / their).toFixed(2)}`,
      );
    }
    const ratios = rates.map(({ our, their }) => our / their);
    return [
      {
        name: 'list page',
        unit: '/s',
        ours: median(rates.map(({ our }) => our)),
        peer: median(rates.map(({ their }) => their)),
        peerName: 'bare Remix table',
        ratio: median(ratios),
        spread: spread(ratios, 2),
      },
    ];
  } finally {
    peer?.stop();
    await bare.remove();
    await server.stop();
  }
}

/** Documents a second. Throws when one is answered with anything but 200. */
async function rateOf({ url, headers }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = documents;
  const work = async () => {
    while (left-- > 0) await fetchDocument(url, headers, agent);
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return documents / seconds;
}

function fetchDocument(url, headers, agent) {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${url} was answered with ${reply.statusCode}`));
      reply.resume().once('end', resolve);
    }).once('error', reject);
  });
}

async function servePage(folder, rows) {
  const program = fileURLToPath(new URL('peers/serve-baseline-page.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, folder, JSON.stringify(rows)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the bare page ended with ${code}`)));
  });
  return { url, stop: () => child.kill() };
}
