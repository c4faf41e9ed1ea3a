// A PostgreSQL server of its own, with real syncs, that is killed with all its processes and started again.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Gives `url`, `kill()`, `start()` and `remove()`; undefined when PostgreSQL is not installed. */
export async function startPostgresql(port) {
  const programs = findPrograms();
  if (!programs) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'yagura-crash-postgresql-'));
  const as = unprivileged();
  if (as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth=trust'],
    { ...as, cwd: folder, encoding: 'utf8', env },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
  let server;
  const kill = () => {
    // The whole group, as when the machine stops: its other processes would go on for a moment.
    if (server && server.exitCode === null && server.signalCode === null)
      process.kill(-server.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  async function start() {
    for (let attempt = 1; ; attempt += 1) {
      const settings = [`unix_socket_directories=${folder}`, 'listen_addresses=127.0.0.1'];
      const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
      server = spawn(join(programs, 'postgres'), args, {
        ...as,
        cwd: folder,
        env,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const output = await untilReady(server);
      if (output === undefined) return;
      // What it left in shared memory is in use until its last process has noticed.
      if (attempt === 20) throw new Error(`PostgreSQL did not start: ${output}`);
      await sleep(250);
    }
  }
  await start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start,
    async kill() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      kill();
      await ended;
    },
    remove() {
      kill();
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Undefined when it is ready, or what it wrote before it ended. */
function untilReady(server) {
  return new Promise((resolve) => {
    let output = '';
    server.once('exit', () => resolve(output));
    server.stderr.on('data', (bytes) => {
      output = (output + bytes).slice(-4000);
      if (output.includes('ready to accept connections')) resolve(undefined);
    });
  });
}

function findPrograms() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    process.env.YAGURA_TEST_POSTGRESQL_BIN,
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => folder && existsSync(join(folder, 'initdb')));
}

/** PostgreSQL refuses to run as root; then another user's ids are taken. */
function unprivileged() {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout) || 65534;
  return { uid: id('-u'), gid: id('-g') };
}
