import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { testToken } from './agent-under-test.ts';
import { startAgent } from './run-agent.ts';
import { startTestHub } from './test-hub.ts';
import { writeAgentFiles } from './write-agent-files.ts';

test('a scan survives agents that are killed: no host twice, none lost', async () => {
  const hub = await startTestHub();
  const files = writeAgentFiles(
    // About half a second per block of 256 addresses.
    `url = "${hub.origin}"\n[scan]\nallowed = ["127.1.0.0/21"]\nports = [9]\npacketsPerSecond = 500\nresolveNames = false\n`,
    testToken,
  );
  try {
    const snapshotId = randomUUID();
    const settings = { seeds: ['127.1.0.0/21'], allowed: [], forbidden: [] };
    let agent = startAgent(['run', '--settings', files.settings]);
    await hub.next('hello');
    hub.send({ type: 'scan', snapshotId, settings });
    const kill = async () => {
      agent.kill('SIGKILL');
      await once(agent, 'close');
      agent = startAgent(['run', '--settings', files.settings]);
      expect(await hub.next('hello')).toMatchObject({ scanning: [snapshotId] });
    };
    // In the first block, right after a chunk, and in the middle of a later block.
    await hub.next('progress');
    await kill();
    await hub.next('hosts');
    await kill();
    await hub.next('hosts');
    await hub.next('progress');
    await kill();
    const { chunks } = await hub.next('done');
    agent.kill('SIGTERM');
    expect(await once(agent, 'close')).toEqual([0, null]);
    const byChunk = new Map<number, string[]>();
    for (const message of hub.messages) {
      if (message.type !== 'hosts') continue;
      const addresses = message.hosts.flatMap((host) => host.addresses.map(({ addr }) => addr));
      // A chunk that is sent again is the same.
      expect(byChunk.get(message.chunk) ?? addresses).toEqual(addresses);
      byChunk.set(message.chunk, addresses);
    }
    expect([...byChunk.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: chunks }, (_, index) => index),
    );
    const found = [...byChunk.values()].flat();
    expect(found).toHaveLength(2048);
    expect(new Set(found).size).toBe(2048);
  } finally {
    await hub.close();
    files.remove();
  }
});
