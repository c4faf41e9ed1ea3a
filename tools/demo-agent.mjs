// The agent of the demo: scans 127.0.0.1 of this machine, and may contact nothing else.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

const program = join(root, 'agent', 'dist', 'main.js');
/** Ports that are open on many machines, besides the server's own. */
const ports = [22, 80, 443, 3306, 5432, 8080];

/**
 * Starts the agent and has it scan once. It ends with this process, and its files are deleted.
 * @param {{ origin: string, token: string }} access
 * @param {typeof import('../fixtures/src/datasets/demo/this-machine.ts')} thisMachine
 * @param {(text: string) => void} say
 */
export async function startDemoAgent(access, { ownAddress, prepareThisMachine }, say) {
  if (!existsSync(program)) throw new Error('agent/dist/main.js is missing: run "npm run build" first');
  const { token, scan } = await prepareThisMachine(access);
  const folder = mkdtempSync(join(tmpdir(), 'yagura-demo-agent-'));
  const write = (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  write('token', token);
  const { origin, port, protocol } = new URL(access.origin);
  const own = Number(port || (protocol === 'https:' ? 443 : 80));
  const settings = [
    `url = ${JSON.stringify(origin)}`,
    'tokenFile = "token"',
    'stateFolder = "state"',
    '[scan]',
    `allowed = ["${ownAddress}"]`,
    `ports = ${JSON.stringify([...new Set([...ports, own])])}`,
    // No name server hears of it.
    'resolveNames = false',
    'readOwnMachine = true',
  ];
  write('agent.toml', `${settings.join('\n')}\n`);
  const child = spawn(process.execPath, [program, 'run', '--settings', join(folder, 'agent.toml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output = `${output}${text}`.slice(-2000);
  });
  const ended = new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the agent ended with ${code}: ${output}`)));
  });
  ended.catch(() => undefined);
  const found = await Promise.race([scan(), ended]);
  say(`  the agent has scanned ${ownAddress}: ${found} ${found === 1 ? 'host' : 'hosts'}`);
}
