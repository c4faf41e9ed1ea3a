// Runs this program again with syncs that take longer, as on a slower disk.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const marker = 'DELAYED_SYNC_US';

/** Passes the delay on to a server, whose environment has nothing else of this process. */
export function withDelayedSyncs(startServer) {
  const { LD_PRELOAD, [marker]: delay } = process.env;
  if (delay === undefined) return startServer;
  return (options = {}) => startServer({ ...options, env: { LD_PRELOAD, [marker]: delay, ...options.env } });
}

/** Returns the exit code of the second run, or undefined within it. Needs a C compiler and a C library that is linked dynamically. */
export function rerunWithDelayedSyncs(milliseconds) {
  if (process.env[marker] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'yagura-sync-'));
  try {
    const library = join(folder, 'delayed-sync.so');
    const source = fileURLToPath(new URL('delayed-sync.c', import.meta.url));
    const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
      stdio: 'inherit',
    });
    if (built.status !== 0) throw new Error('--sync-ms needs a C compiler (cc)');
    const env = { ...process.env, LD_PRELOAD: library, [marker]: String(Math.round(milliseconds * 1000)) };
    return spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
