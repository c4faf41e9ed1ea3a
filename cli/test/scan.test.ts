import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { siteHosts } from '@yagura/fixtures/testbed/site-hosts';
import { connectAgent, type TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collectOutput } from './collect-output.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The agent is scripted by the test. */
describe('scan', { timeout: 40_000 }, () => {
  let lab: ServerProcess;
  let agent: TestAgent;

  function run(...argv: string[]) {
    const child: ChildProcess = spawn(process.execPath, [main, ...argv], {
      env: { PATH: process.env.PATH, YAGURA_URL: lab.origin, YAGURA_TOKEN: lab.token, TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { output: said, ended } = collectOutput(child);
    return { child, said, ended };
  }

  async function made(...argv: string[]): Promise<string> {
    const { said, ended } = run(...argv);
    expect(await ended, said.err).toBe(0);
    return said.out.trim();
  }

  /** Id of the next snapshot that the agent is ordered to scan or abort; other messages are skipped. */
  async function ordered(type: 'scan' | 'abort' = 'scan'): Promise<string> {
    for (;;) {
      const order = await agent.nextMessage();
      if (order.type === type) return order.snapshotId;
    }
  }

  beforeAll(async () => {
    lab = await startServer();
    const slot = await made('ksocket-slots', 'create', '--display-name', 'Site');
    const token = JSON.parse(
      await made(
        'ksocket-tokens',
        'create',
        '--ksocket-slot',
        slot,
        '--display-name',
        'one',
        '--json',
        'token',
      ),
    ).token as string;
    await made('networks', 'create', '--display-name', 'Lab', '--ksocket-slot-id', slot);
    agent = await connectAgent({ origin: lab.origin, token });
  }, 120_000);
  afterAll(async () => {
    await agent?.close();
    await lab?.stop();
  });

  test('tells how far it is, and ends with what was found', async () => {
    const scan = run('scan', 'Lab', '--wait', '--json', 'status,numberOfNodes');
    const snapshotId = await ordered();
    agent.send({ type: 'progress', snapshotId, probed: 1, toProbe: 4 });
    await vi.waitFor(() => expect(scan.said.err).toMatch(/^Running {2}1\/4 {2}/m), 20_000);
    agent.send({ type: 'hosts', snapshotId, chunk: 0, hosts: siteHosts({ seed: 'scan', count: 3 }) });
    agent.send({ type: 'done', snapshotId, chunks: 1 });
    expect(await scan.ended, scan.said.err).toBe(0);
    expect(JSON.parse(scan.said.out)).toMatchObject({ status: 'succeeded' });
    expect(scan.said.err).toContain(snapshotId);
    expect(scan.said.err).toContain('Found: 3 nodes  New: 3  Gone: 0');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s stops the scan itself, and ends with %i', async (signal, code) => {
    const scan = run('scan', 'Lab', '--wait', '--json', 'status');
    const snapshotId = await ordered();
    await vi.waitFor(() => expect(scan.said.err).toMatch(/ {2}0\/\d/), 20_000);
    scan.child.kill(signal);
    expect(await ordered('abort')).toBe(snapshotId);
    agent.send({ type: 'aborted', snapshotId });
    expect(await scan.ended, scan.said.err).toBe(code);
    expect(
      JSON.parse(await made('snapshots', 'show', snapshotId, '--network', 'Lab', '--json', 'status')),
    ).toEqual({
      status: 'aborted',
    });
  });

  test('a time limit leaves the scan going on, and ends with 8', async () => {
    const scan = run('scan', 'Lab', '--wait', '--timeout', '1');
    const snapshotId = await ordered();
    expect(await scan.ended, scan.said.err).toBe(8);
    expect(scan.said.err).toContain('still running');
    agent.send({ type: 'done', snapshotId, chunks: 0 });
  });

  test('without --wait only the snapshot is named', async () => {
    const id = await vi.waitFor(() => made('scan', 'Lab'), 20_000);
    expect(await ordered()).toBe(id);
    agent.send({ type: 'done', snapshotId: id, chunks: 0 });
  });

  test('what changed between two snapshots is shown, and told by the exit code', async () => {
    const list = ['snapshots', 'list', '--network', 'Lab', '--filter', 'status eq "succeeded"'];
    const ids = JSON.parse(await made(...list, '--sort', 'createdAt', '--json', 'snapshotId')) as {
      snapshotId: string;
    }[];
    const [first, last] = [ids[0]!.snapshotId, ids.at(-1)!.snapshotId];
    const compare = (...argv: string[]) =>
      run('sonar', 'diff', 'Lab', ...argv, '--detailed-exitcode', '--json', 'kind,change');
    const different = compare(last, first);
    expect(await different.ended, different.said.err).toBe(2);
    expect(JSON.parse(different.said.out)).toEqual(Array(3).fill({ kind: 'host', change: 'removed' }));
    const same = compare(last, last);
    expect(await same.ended, same.said.err).toBe(0);
    const wrong = compare(last, 'x');
    expect(await wrong.ended).toBe(1);
    expect(wrong.said.err).toContain('baseSnapshotId');
  });
});
