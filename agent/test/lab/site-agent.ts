// An agent as a process of its own in the namespace `agent` of the lab, with files as an administrator writes them.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonSite } from '@yagura/fixtures/lab/site/lab-site';
import { writeAgentFiles } from '../write-agent-files.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const runFromSource = fileURLToPath(new URL('../../../tools/bundling/run-from-source.mjs', import.meta.url));
const guard = fileURLToPath(new URL('../../../fixtures/src/lab/site/require-lab.ts', import.meta.url));

export interface SiteAgent {
  start(): void;
  kill(): Promise<void>;
  remove(): void;
}

/** `credentials` by file name, such as `ssh/servers.toml`. */
export function prepareSiteAgent(
  site: DaemonSite,
  options: { origin: string; token: string; scan: string; credentials: Record<string, string> },
): SiteAgent {
  const { origin, token, scan, credentials } = options;
  const files = writeAgentFiles(`url = "${origin}"\ncredentials = "credentials"\n[scan]\n${scan}\n`, token);
  for (const [name, text] of Object.entries(credentials)) {
    mkdirSync(join(files.folder, 'credentials', name, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(join(files.folder, 'credentials', name), text, { mode: 0o600 });
  }
  let child: ReturnType<DaemonSite['start']> | undefined;
  return {
    start() {
      const args = [runFromSource, '--import', guard, main, 'run', '--settings', files.settings];
      child = site.start('agent', process.execPath, args);
      for (const stream of [child.stdout!, child.stderr!]) stream.resume();
    },
    async kill() {
      if (!child || child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
    remove() {
      child?.kill('SIGKILL');
      files.remove();
    },
  };
}
