// What a command costs beyond starting Node: spawned in turn with an empty program.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { callApi, startServer } from './lab.mjs';
import { median, spread } from './statistics.mjs';

const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
const turns = 15;

export async function benchCommand({ say }) {
  if (!existsSync(program))
    return [{ name: 'command', skipped: 'cli/dist/main.js is missing: run "npm run build" first' }];
  say(`command: each ${turns} times in turn with bare "node -e 0" (time of the whole process)`);
  const server = await startServer();
  try {
    await callApi(server, 'POST', '/api/apps/alerthub/scopes', { displayName: 'one' });
    const env = { ...process.env, YAGURA_URL: server.origin, YAGURA_TOKEN: server.token };
    return [
      inTurn('command yagura --version', ['--version'], env, 1.2),
      inTurn('command yagura alerthub scopes list', ['alerthub', 'scopes', 'list'], env, 1.6),
    ];
  } finally {
    await server.stop();
  }
}

function inTurn(name, args, env, most) {
  const ours = [];
  const bare = [];
  time([program, ...args], env);
  for (let turn = 0; turn < turns; turn++) {
    ours.push(time([program, ...args], env));
    bare.push(time(['-e', '0'], env));
  }
  const ratio = median(ours) / median(bare);
  return {
    name,
    unit: ' ms',
    ours: median(ours),
    peer: median(bare),
    peerName: 'node -e 0',
    ratio,
    aim: `<= ${most}`,
    met: ratio <= most,
    spread: spread(
      ours.map((one, index) => one / bare[index]),
      2,
    ),
  };
}

/** Milliseconds. */
function time(args, env) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}
