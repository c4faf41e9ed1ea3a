// Time from starting the server to its being ready, with a new folder and with one that was in use.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, spread } from './support/statistics.mjs';
import { startServer } from './testbed.mjs';

const turns = 3;

export async function benchStart({ say }) {
  say(
    `start: ${turns} times each, in turn with bare "node -e 0"; the server is killed before each warm start`,
  );
  const times = { cold: [], warm: [], bare: [] };
  for (let turn = 0; turn < turns; turn++) {
    const data = await mkdtemp(join(tmpdir(), 'yagura-bench-start-'));
    try {
      for (const kind of ['cold', 'warm']) {
        const begun = performance.now();
        const server = await startServer({ data });
        times[kind].push((performance.now() - begun) / 1000);
        await server.kill();
        const empty = performance.now();
        spawnSync(process.execPath, ['-e', '0']);
        times.bare.push((performance.now() - empty) / 1000);
      }
    } finally {
      await rm(data, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return ['cold', 'warm'].map((kind) => ({
    name: `start ${kind}`,
    unit: ' s',
    ours: median(times[kind]),
    peer: median(times.bare),
    peerName: 'node -e 0',
    ratio: median(times[kind]) / median(times.bare),
    spread: `${spread(times[kind], 2)} s`,
  }));
}
