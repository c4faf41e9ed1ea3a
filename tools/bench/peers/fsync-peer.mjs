// The syncing peers of intake and latency: the least receiver that answers for what is on disk, the least that posts a
// webhook for it, and one bare write.
import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { quantile } from '../support/statistics.mjs';

/** Of file systems in memory: tmpfs and ramfs. */
const inMemory = new Set([0x01021994, 0x858458f6]);

/** A fresh folder on a disk, where syncs cost what they cost; YAGURA_BENCH_FOLDER names another place than the usual one. */
export async function diskFolder() {
  const place = process.env.YAGURA_BENCH_FOLDER ?? tmpdir();
  if (inMemory.has(statfsSync(place).type))
    throw new Error(`${place} is memory: set YAGURA_BENCH_FOLDER to a folder on a disk`);
  return mkdtemp(join(place, 'yagura-bench-'));
}

export const startSyncing = () => startPeer('serve-fsync-peer.mjs');

/** Posts each body to the address once it and a decision are on the disk. */
export const startTwoSyncs = (target) => startPeer('serve-two-syncs-peer.mjs', target);

async function startPeer(file, ...options) {
  const folder = await diskFolder();
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [program, folder, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the syncing server ended with ${code}`)));
  });
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Milliseconds that one write with fdatasync takes, the median and the 99th of 100, in a folder. */
export function bareWrites(folder, count = 200) {
  const path = join(folder, 'bare-writes');
  const file = openSync(path, 'w', 0o600);
  const bytes = Buffer.alloc(700, 'x');
  const samples = [];
  for (let index = 0; index < count; index++) {
    const begun = performance.now();
    writeSync(file, bytes, 0, bytes.length, index * bytes.length);
    fdatasyncSync(file);
    samples.push(performance.now() - begun);
  }
  closeSync(file);
  rmSync(path);
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99) };
}
