import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentMessage } from '@yagura/core/ksocket/agent-protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { type AgentUnderTest, makeStateFolder, startAgentUnderTest, testToken } from './agent-under-test.ts';
import { type Listener, listenOn } from './listener.ts';
import { startTestHub, type TestHub } from './test-hub.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(
  options: Parameters<typeof startAgentUnderTest>[1] = {},
  hubOptions: Parameters<typeof startTestHub>[0] = {},
): Promise<{ hub: TestHub; agent: AgentUnderTest }> {
  const hub = await startTestHub(hubOptions);
  cleanups.push(() => hub.close());
  return { hub, agent: start(hub, options) };
}

function start(hub: TestHub, options: Parameters<typeof startAgentUnderTest>[1]): AgentUnderTest {
  const agent = startAgentUnderTest(hub.origin, options);
  cleanups.push(() => agent.stop());
  return agent;
}

async function listen(address: string, port = 0): Promise<Listener> {
  const listener = await listenOn(address, port);
  cleanups.push(() => listener.close());
  return listener;
}

const scanOrder = (seeds: string[], more: object = {}) => ({
  type: 'scan' as const,
  snapshotId: randomUUID(),
  settings: { seeds, allowed: [], forbidden: [], ...more },
});

/** Addresses of all chunks; a chunk that was sent again counts once. */
function addressesIn(messages: readonly AgentMessage[]): string[] {
  const chunks = new Map<string, string[]>();
  for (const message of messages)
    if (message.type === 'hosts')
      chunks.set(
        `${message.snapshotId} ${message.chunk}`,
        message.hosts.flatMap(({ addresses }) => addresses.map(({ addr }) => addr)),
      );
  return [...chunks.values()].flat();
}

describe('a scan', () => {
  test('finds what answers, names its ports and says where it was learned', async () => {
    const listener = await listen('127.0.0.2');
    const scan = { ports: [listener.port] };
    const lookup = async (address: string) => [`name-of-${address}`];
    const { hub, agent } = await open({ allowed: ['127.0.0.0/29'], scan, lookup });
    await hub.next('hello');
    const order = scanOrder(['127.0.0.0/30']);
    hub.send(order);
    const { hosts, refusals, chunk } = await hub.next('hosts');
    expect(chunk).toBe(0);
    expect(refusals).toEqual([]);
    // A loopback address without the port refuses the connection, so it is up.
    expect(hosts.flatMap(({ addresses }) => addresses.map(({ addr }) => addr)).sort()).toEqual([
      '127.0.0.0',
      '127.0.0.1',
      '127.0.0.2',
      '127.0.0.3',
    ]);
    const found = hosts.find(({ addresses }) => addresses[0]?.addr === '127.0.0.2')!;
    expect(found.addresses[0]).toMatchObject({
      hostnames: [{ hostname: 'name-of-127.0.0.2' }],
      services: [{ name: `tcp-${listener.port}`, port: listener.port, proto: 'tcp' }],
    });
    expect(found.evidence.map(({ group, source }) => `${group} ${source}`)).toEqual([
      'addresses tcp',
      'services tcp',
    ]);
    expect(await hub.next('done')).toMatchObject({ snapshotId: order.snapshotId, chunks: 1 });
    await expect.poll(() => readdirSync(join(agent.stateFolder, 'scans')), { timeout: 30_000 }).toEqual([]);
  });

  test('sends nothing to forbidden addresses, whoever forbids them', async () => {
    const permitted = await listen('127.0.0.1');
    const others = await Promise.all(
      ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.9'].map((address) => listen(address, permitted.port)),
    );
    const scan = { ports: [permitted.port], forbidden: ['127.0.0.2'] };
    const { hub } = await open({ allowed: ['127.0.0.0/29'], scan });
    await hub.next('hello');
    hub.send(
      scanOrder(['127.0.0.0/24'], { allowed: ['127.0.0.0/30', '127.0.0.9'], forbidden: ['127.0.0.3'] }),
    );
    await hub.next('done');
    expect(permitted.connections()).toBe(1);
    expect(others.map((one) => one.connections())).toEqual([0, 0, 0, 0]);
  });

  test.each<[string, string[], string[], RegExp]>([
    ['forbidden networks', ['127.0.0.0/29'], ['10.0.0.0/24'], /permit none/],
    ['anything, of a new agent', [], ['127.0.0.1'], /permit none/],
    [
      'text that is no address',
      ['127.0.0.0/29'],
      ['example.com'],
      /Not an IPv4 address or network: example\.com/,
    ],
    ['too many addresses', ['127.0.0.0/8'], ['127.0.0.0/8'], /more than the 65536/],
  ])('of %s fails with its reason', async (_, allowed, seeds, reason) => {
    const { hub } = await open({ allowed });
    await hub.next('hello');
    hub.send(scanOrder(seeds));
    expect((await hub.next('failed')).reason).toMatch(reason);
    expect(hub.messages.filter(({ type }) => type === 'hosts')).toEqual([]);
  });

  test('is estimated without a packet', async () => {
    const listener = await listen('127.0.0.1');
    const scan = { ports: [listener.port], packetsPerSecond: 4, parallelHosts: 2 };
    const { hub } = await open({ allowed: ['127.0.0.0/29'], scan });
    await hub.next('hello');
    const requestId = randomUUID();
    const pace = { packetsPerSecond: 2, parallelHosts: 64 };
    const settings = { seeds: ['127.0.0.0/28'], allowed: [], forbidden: ['127.0.0.7'], pace };
    hub.send({ type: 'estimate', requestId, settings });
    expect(await hub.next('estimated')).toMatchObject({
      requestId,
      addresses: 7,
      packets: 7,
      seconds: 4,
      excluded: [
        { network: '127.0.0.8/29', reason: 'SPECIAL_ADDRESS' },
        { network: '127.0.0.7', reason: 'FORBIDDEN_BY_SERVER' },
      ],
      limits: { packetsPerSecond: 2, parallelHosts: 2 },
    });
    expect(listener.connections()).toBe(0);
    hub.send({ type: 'estimate', requestId, settings: { ...settings, seeds: ['x'] } });
    expect(await hub.next('unanswered')).toMatchObject({ requestId, code: 'INVALID_SETTINGS' });
  });

  test('pauses, reports it, resumes, and is aborted', async () => {
    // One packet per second: the scan would take more than an hour, so it ends only by the abort.
    const scan = { ports: [9], packetsPerSecond: 1 };
    const { hub } = await open({ allowed: ['127.0.0.0/20'], scan });
    await hub.next('hello');
    const order = scanOrder(['127.0.0.0/20']);
    const { snapshotId } = order;
    hub.send(order);
    const until = async (paused: boolean) => {
      for (;;) {
        const message = await hub.next('progress');
        if (message.paused === paused) return message;
      }
    };
    await until(false);
    hub.send({ type: 'pause', snapshotId });
    expect(await until(true)).toMatchObject({ toProbe: 4096, phase: 'discover' });
    hub.send({ type: 'resume', snapshotId });
    await until(false);
    hub.send({ type: 'pause', snapshotId });
    await until(true);
    hub.send({ type: 'abort', snapshotId });
    expect(await hub.next('aborted')).toEqual({ type: 'aborted', snapshotId });
  });

  test('that is not known any more is confirmed as aborted', async () => {
    const { hub } = await open();
    await hub.next('hello');
    const snapshotId = randomUUID();
    hub.send({ type: 'abort', snapshotId });
    expect(await hub.next('aborted')).toEqual({ type: 'aborted', snapshotId });
  });

  test('runs once when it is ordered twice', async () => {
    const { hub } = await open({ allowed: ['127.0.0.0/30'], scan: { ports: [9] } });
    await hub.next('hello');
    const order = scanOrder(['127.0.0.0/30']);
    hub.send(order);
    hub.send(order);
    await hub.next('done');
    expect(addressesIn(hub.messages).sort()).toEqual(['127.0.0.0', '127.0.0.1', '127.0.0.2', '127.0.0.3']);
    expect(hub.messages.filter(({ type }) => type === 'done')).toHaveLength(1);
  });

  test('reports in version 1 to a server that does not know version 2', async () => {
    const { hub } = await open({ allowed: ['127.0.0.0/30'], scan: { ports: [9] } }, { protocol: 1 });
    expect(await hub.next('hello')).toMatchObject({ protocols: [1, 2], scanning: [] });
    hub.send(scanOrder(['127.0.0.0/30']));
    expect((await hub.next('hosts')).hosts).toHaveLength(4);
    await hub.next('done');
  });
});

/** 1,024 hosts in four blocks. */
const large = {
  allowed: ['127.1.0.0/22'],
  scan: { ports: [9], packetsPerSecond: 100_000, parallelHosts: 64 },
};

describe('an interrupted scan', () => {
  test('continues after the link was lost; chunks keep their numbers', async () => {
    const { hub } = await open(large, { acknowledge: false });
    await hub.next('hello');
    const order = scanOrder(['127.1.0.0/22']);
    const { snapshotId } = order;
    hub.send(order);
    const first = await hub.next('hosts');
    const second = await hub.next('hosts');
    expect([first.chunk, second.chunk]).toEqual([0, 1]);
    hub.drop();
    expect(await hub.next('hello')).toMatchObject({ scanning: [snapshotId] });
    let chunks = 0;
    for (const again of [await hub.next('hosts'), await hub.next('hosts')]) {
      expect(again).toEqual(again.chunk === 0 ? first : second);
      hub.send({ type: 'stored', snapshotId, chunk: again.chunk });
      chunks++;
    }
    const done = hub.next('done');
    for (let ended = false; !ended; ) {
      const next = hub.next('hosts').then(({ chunk }) => {
        hub.send({ type: 'stored', snapshotId, chunk });
        chunks++;
        return false;
      });
      ended = await Promise.race([next, done.then(() => true)]);
    }
    expect((await done).chunks).toBe(chunks);
    const found = addressesIn(hub.messages);
    expect(new Set(found).size).toBe(1024);
    expect(found).toHaveLength(1024);
  });

  /** Starts a scan of 1,024 addresses, pauses it after its first hosts, and stops the agent. */
  async function stopWhilePaused() {
    const state = makeStateFolder();
    cleanups.push(state.remove);
    const hub = await startTestHub();
    cleanups.push(() => hub.close());
    const options = { ...large, stateFolder: state.path };
    const agent = startAgentUnderTest(hub.origin, options);
    await hub.next('hello');
    const order = scanOrder(['127.1.0.0/22']);
    hub.send(order);
    await hub.next('hosts');
    hub.send({ type: 'pause', snapshotId: order.snapshotId });
    while (!(await hub.next('progress')).paused);
    await agent.stop();
    return { hub, options, order };
  }

  test('continues after the agent was stopped, paused if it was', async () => {
    const { hub, options, order } = await stopWhilePaused();
    start(hub, options);
    expect(await hub.next('hello')).toMatchObject({ scanning: [order.snapshotId] });
    while (!(await hub.next('progress')).paused);
    hub.send({ type: 'resume', snapshotId: order.snapshotId });
    await hub.next('done');
    const found = addressesIn(hub.messages);
    expect(new Set(found).size).toBe(1024);
    expect(found).toHaveLength(1024);
  });

  test('keeps to a policy that has become stricter', async () => {
    const { hub, options, order } = await stopWhilePaused();
    const listener = await listen('127.1.3.200');
    start(hub, { ...options, scan: { ...large.scan, ports: [listener.port], forbidden: ['127.1.3.0/24'] } });
    await hub.next('hello');
    hub.send({ type: 'resume', snapshotId: order.snapshotId });
    await hub.next('done');
    expect(listener.connections()).toBe(0);
    expect(addressesIn(hub.messages).filter((address) => address.startsWith('127.1.3.'))).toEqual([]);
  });
});

describe('the link', () => {
  test('shows the token and reads it again for each connection', async () => {
    const tokens = [testToken, `kst_${'n'.repeat(43)}`];
    const next = [...tokens];
    const { hub } = await open({ readToken: async () => next.shift() ?? tokens[1]! });
    await hub.next('hello');
    hub.drop();
    await hub.next('hello');
    expect(hub.authorizations).toEqual(tokens.map((token) => `Bearer ${token}`));
  });

  test('says why it is not connected, without the token', async () => {
    const { agent } = await open({}, { accept: () => false });
    await expect
      .poll(() => agent.lines.find(({ message }) => message === 'not connected'), { timeout: 30_000 })
      .toMatchObject({ reason: 'HTTP 401' });
    expect(JSON.stringify(agent.lines)).not.toContain(testToken);
  });

  test('works with a clock that is an hour off, and says so', async () => {
    const scan = { ports: [9] };
    const { hub, agent } = await open({ allowed: ['127.0.0.0/30'], scan }, { aheadMs: 3_600_000 });
    await hub.next('hello');
    hub.send(scanOrder(['127.0.0.1']));
    await hub.next('done');
    const warnings = agent.lines.filter(({ message }) => String(message).includes('clock'));
    expect(warnings).toHaveLength(1);
    // Rounded, and the answer takes a moment.
    expect(Math.abs(Number(warnings[0]!.seconds) + 3600)).toBeLessThan(60);
  });

  test('ignores what it does not understand', async () => {
    const { hub, agent } = await open({ allowed: ['127.0.0.0/30'], scan: { ports: [9] } });
    await hub.next('hello');
    for (const text of ['', 'null', '[]', '{"type":"later"}', '{"type":"scan","snapshotId":"../../etc"}'])
      hub.send(text);
    hub.send(scanOrder(['127.0.0.1']));
    await hub.next('done');
    expect(agent.lines.filter(({ type }) => type === 'later')).toHaveLength(1);
    expect(hub.messages.filter(({ type }) => type === 'hello')).toHaveLength(1);
  });
});
