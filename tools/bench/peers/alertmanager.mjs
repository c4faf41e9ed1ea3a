// Starts Debian's Alertmanager as the peer of intake and latency, with nothing switched on that it would have to do besides.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tsImport } from 'tsx/esm/api';

const { freePort } = await tsImport('../../../fixtures/src/testbed/free-port.ts', import.meta.url);

const program = 'prometheus-alertmanager';

/** Such as `0.25.0`, or undefined where it is not installed. */
export function alertmanagerVersion() {
  const { stdout, stderr, status } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? /version ([\d.]+)/.exec(stdout + stderr)?.[1] : undefined;
}

/** `webhookUrl` is called at once and for each alert alone; without it alerts are taken in and go nowhere. */
export async function startAlertmanager(webhookUrl) {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-bench-alertmanager-'));
  const config = join(folder, 'alertmanager.yml');
  const route = webhookUrl
    ? "  group_by: ['...']\n  group_wait: 0s\n  group_interval: 5m\n"
    : '  group_wait: 5m\n  group_interval: 5m\n';
  const receiver = webhookUrl
    ? `    webhook_configs:\n    - url: '${webhookUrl}'\n      send_resolved: false\n`
    : '';
  await writeFile(config, `route:\n  receiver: sink\n${route}receivers:\n  - name: sink\n${receiver}`);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.path=${folder}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const orphan = () => child.kill('SIGKILL');
  process.once('exit', orphan);
  await ready(`http://${address}/-/ready`, child);
  return {
    url: `http://${address}/api/v2/alerts`,
    async stop() {
      process.off('exit', orphan);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ready(url, child) {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.ok) return;
    await sleep(50);
  }
  throw new Error(`${program} was not ready in time`);
}
