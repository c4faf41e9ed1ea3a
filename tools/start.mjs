// Starts the server from the repository: builds what has changed, then serves in this terminal.
// Usage: npm start -- [--demo] [--no-agent] [--port N] [--host ADDRESS] [--data FOLDER]
// With --demo the space is filled through the API once the server is ready; starting it again adds nothing twice. A real
// agent then scans this machine's address 127.0.0.1 once and runs until the server stops; --no-agent leaves it out.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDemoAgent } from './demo-agent.mjs';
import { binary, root } from './run.mjs';

const program = join(root, 'server', 'dist', 'main.js');
/** Milliseconds in which a second signal is the same key press, that came by way of npm as well. */
const samePress = 500;

const args = process.argv.slice(2);
const demo = args.includes('--demo');
const withAgent = demo && !args.includes('--no-agent');
const serverArgs = args.filter((arg) => arg !== '--demo' && arg !== '--no-agent');
const say = (text) => process.stderr.write(`${text}\n`);

if (!wantsText()) await build();
serve();

/** `--help` and `--version` answer at once where there is a server to ask. */
function wantsText() {
  return existsSync(program) && ['--help', '-h', '--version'].some((flag) => serverArgs.includes(flag));
}

async function build() {
  const turbo = binary('turbo');
  if (!existsSync(turbo)) {
    if (existsSync(program)) return;
    say('There is nothing built here, and nothing to build with: run "npm install" first');
    process.exit(1);
  }
  say('Building what has changed ...');
  const started = Date.now();
  const child = spawn(turbo, ['run', 'build', '--output-logs=errors-only'], {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  forwardSignals(child);
  // Turbo has no silence: what it says is told only when the build fails.
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
  if (code !== 0) {
    process.stderr.write(output);
    process.exit(code);
  }
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function serve() {
  const token = demo ? (givenToken() ?? randomBytes(32).toString('hex')) : undefined;
  // A group of its own: a key press reaches the server only through here, and so only once.
  const child = spawn(process.execPath, [program, ...serverArgs], {
    cwd: process.cwd(),
    env: demo ? { ...process.env, ...demoEnvironment(token) } : process.env,
    stdio: ['ignore', demo ? 'pipe' : 'inherit', 'inherit'],
    detached: true,
  });
  forwardSignals(child);
  endWithNpm(child);
  child.once('error', (error) => {
    say(`The server could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (demo) whenReady(child, (origin) => fill(origin, token));
}

function forwardSignals(child) {
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - last < samePress) return;
      last = now;
      // A terminal that goes away is a request to stop.
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
  // Should this process break, the server must not go on unseen.
  process.on('exit', () => child.kill('SIGTERM'));
}

/** A signal to npm ends the shell between npm and here, and goes no further. */
function endWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
}

function givenToken() {
  const file = process.env.YAGURA_BOOTSTRAP_TOKEN_FILE;
  return file ? readFileSync(file, 'utf8').trim() : process.env.YAGURA_BOOTSTRAP_TOKEN || undefined;
}

/** The token that fills the space, and leave for webhooks to call the server's own port, which one action of the demo does. */
function demoEnvironment(token) {
  const port = givenPort();
  const allowed = [process.env.YAGURA_OUTBOUND_ALLOW, port === 0 ? '' : `localhost:${port}`].filter(Boolean);
  return {
    ...(process.env.YAGURA_BOOTSTRAP_TOKEN_FILE ? {} : { YAGURA_BOOTSTRAP_TOKEN: token }),
    YAGURA_OUTBOUND_ALLOW: allowed.join(','),
    YAGURA_PIGEON_LINE: process.env.YAGURA_PIGEON_LINE || 'simulator',
  };
}

/** As the server reads it; it also judges what it can't take. */
function givenPort() {
  return Number(flag('port') ?? process.env.PORT ?? 8480);
}

function flag(name) {
  const { values } = parseArgs({
    args: serverArgs,
    options: { [name]: { type: 'string' } },
    strict: false,
  });
  return typeof values[name] === 'string' ? values[name] : undefined;
}

/** Passes the server's output on and tells the origin of its ready line. */
function whenReady(child, act) {
  let line = '';
  let told = false;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    process.stdout.write(text);
    if (told) return;
    line += text;
    const origin = /^Yagura is ready at (\S+)$/m.exec(line)?.[1];
    if (!origin) return;
    told = true;
    act(origin);
  });
}

/** The server goes on whatever becomes of this. */
async function fill(readyAt, token) {
  const port = givenPort();
  const host = flag('host') ?? process.env.YAGURA_HOST ?? '127.0.0.1';
  // A public origin may lead through a proxy that is not up; a port that is known is reached from here.
  const origin = port === 0 ? readyAt : `http://${reachable(host)}:${port}`;
  try {
    const { tsImport } = await import('tsx/esm/api');
    const { buildDataset } = await tsImport('../fixtures/src/datasets/datasets.ts', import.meta.url);
    say('Filling the demo ...');
    await buildDataset({ origin, token }, 'demo', { progress: (text) => say(`  ${text}`) });
    if (withAgent) await scanThisMachine({ origin, token }, tsImport);
    say(`The demo is ready at ${readyAt}`);
  } catch (error) {
    say(`The demo could not be filled: ${error.message}`);
    for (const { name, reason } of error.invalidParams ?? []) say(`  ${name}: ${reason}`);
  }
}

/** The demo is complete without it. */
async function scanThisMachine(access, tsImport) {
  try {
    const thisMachine = await tsImport('../fixtures/src/datasets/demo/this-machine.ts', import.meta.url);
    await startDemoAgent(access, thisMachine, say);
  } catch (error) {
    say(`This machine could not be scanned: ${error.message}`);
  }
}

/** Listening on every address is no address to call. */
function reachable(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
