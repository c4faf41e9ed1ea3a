// What a command costs beyond starting Node: spawned in turn with an empty program.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median, spread } from './support/statistics.mjs';
import { callApi, startServer } from './testbed.mjs';

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
      inTurn('command yagura --help', ['--help'], env),
      inTurn('command yagura alerthub scopes list', ['alerthub', 'scopes', 'list'], env, 1.5),
      ...peers().map((peer) =>
        inTurn(`command yagura --version, ${peer[0]}`, ['--version'], env, undefined, peer),
      ),
    ];
  } finally {
    await server.stop();
  }
}

/** What of the field is on this machine, printing its version. */
function peers() {
  return [
    ['gh', '--version'],
    ['amtool', '--version'],
    ['pd', '--version'],
  ].filter(([command, ...args]) => spawnSync(command, args).status === 0);
}

/** Against bare Node, or the peer; without an aim the figure is only told. */
function inTurn(name, args, env, maxRatio, [peer, ...peerArgs] = [process.execPath, '-e', '0']) {
  const ours = [];
  const bare = [];
  time(process.execPath, [program, ...args], env);
  for (let turn = 0; turn < turns; turn++) {
    ours.push(time(process.execPath, [program, ...args], env));
    bare.push(time(peer, peerArgs, env));
  }
  const ratio = median(ours) / median(bare);
  return {
    name,
    unit: ' ms',
    ours: median(ours),
    peer: median(bare),
    peerName: peer === process.execPath ? 'node -e 0' : [peer, ...peerArgs].join(' '),
    ratio,
    ...(maxRatio === undefined ? {} : { aim: `<= ${maxRatio}`, met: ratio <= maxRatio }),
    spread: spread(
      ours.map((one, index) => one / bare[index]),
      2,
    ),
  };
}

/** Milliseconds. */
function time(command, args, env) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}
