// Starts Debian's postfix as the peer of taking mails in: a queue of its own in a folder of its own, whose mails go nowhere.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tsImport } from 'tsx/esm/api';

const { freePort } = await tsImport('../../../fixtures/src/testbed/free-port.ts', import.meta.url);

const daemons = '/usr/lib/postfix/sbin';
const programs = '/usr/sbin';
export const smtpSource = join(programs, 'smtp-source');

/** Why it cannot be measured here, or undefined. */
export function postfixMissing() {
  if (!existsSync(smtpSource) || !existsSync(join(daemons, 'master')))
    return 'postfix is not installed (apt-get install postfix)';
  return userInfo().uid === 0 ? undefined : 'postfix can only be started by root';
}

/** Such as `3.7.11`. */
export function postfixVersion() {
  return spawnSync(join(programs, 'postconf'), ['-d', '-h', 'mail_version'], {
    encoding: 'utf8',
  }).stdout.trim();
}

/** Its defaults, but for what a bench needs: any recipient from here, and delivery that discards. */
export async function startPostfix() {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-bench-postfix-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const etc = join(folder, 'etc');
  for (const name of ['etc', 'queue', 'data']) await mkdir(join(folder, name));
  spawnSync('chown', ['postfix', join(folder, 'data')]);
  await writeFile(join(etc, 'main.cf'), mainConfig(folder));
  await writeFile(join(etc, 'master.cf'), masterConfig(port));
  const control = (verb) =>
    spawnSync(join(programs, 'postfix'), ['-c', etc, verb], { encoding: 'utf8', timeout: 60_000 });
  const checked = control('check');
  const child = spawn(join(daemons, 'master'), ['-c', etc, '-d'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = `${checked.stdout}${checked.stderr}`;
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const orphan = () => child.kill('SIGTERM');
  process.once('exit', orphan);
  try {
    await ready(port, child, () => printed);
  } catch (error) {
    orphan();
    throw error;
  }
  return {
    port,
    async stop() {
      process.off('exit', orphan);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const mainConfig = (folder) => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = ${programs}
daemon_directory = ${daemons}
mail_owner = postfix
setgid_group = postdrop
myhostname = bench.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
default_transport = discard:
smtpd_relay_restrictions = permit_mynetworks, reject
`;

const masterConfig = (port) => `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
`;

async function ready(port, child, printed) {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`postfix ended with ${child.exitCode}:\n${printed()}`);
    if ((await greeting(port)).startsWith('220 ')) return;
    await sleep(50);
  }
  throw new Error(`postfix was not ready in time:\n${printed()}`);
}

function greeting(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(2000, () => socket.destroy());
    socket.once('data', (bytes) => {
      resolve(String(bytes));
      socket.end('QUIT\r\n');
    });
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(''));
  });
}
