import { beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '../../http/problem.ts';
import { encodeCredit, encodeFrame, streamLimits, streamSilenceMs, viewerChannel } from './frame.ts';
import { SessionStream, type SessionStreamOptions, type StreamStatus } from './session-stream.ts';
import { TestGateway, viewerIdOf } from './test-gateway.ts';
import type { GatewayControl } from './viewer-protocol.ts';

const now = 1_800_000_000_000;
let gateway: TestGateway;
let statuses: StreamStatus[];
let controls: GatewayControl[];
let shown: { text: string; onParsed(): void }[];
let timers: { callback(): void; delayMs: number; isCanceled: boolean }[];
const pendingTimers = () => timers.filter(({ isCanceled }) => !isCanceled);
let onEvent = () => {};

beforeEach(() => {
  gateway = new TestGateway(() => now);
  [statuses, controls, shown, timers] = [[], [], [], []];
});

/** Resolves once a condition is met; checked after every status and message. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) {
    await new Promise<void>((wake) => {
      onEvent = wake;
    });
  }
}

function record<T>(list: () => T[]): (item: T) => void {
  return (item) => {
    list().push(item);
    onEvent();
  };
}

function startStream(options: Partial<SessionStreamOptions> = {}): SessionStream {
  const onShown = record(() => shown);
  const stream = new SessionStream({
    sessionId: gateway.sessionId,
    mode: 'control',
    attach: () => gateway.attach(),
    closeReason: async () => '',
    openSocket: gateway.openSocket,
    isTrusted: () => true,
    onStatus: record(() => statuses),
    handlers: {
      onControl: record(() => controls),
      onTerminal: (bytes, onParsed) => onShown({ text: new TextDecoder().decode(bytes), onParsed }),
      onFile: (_transfer, _content, onStored) => onStored(),
    },
    now: () => now,
    random: () => 0.5,
    timers: {
      set(callback, delayMs) {
        const timer = { callback, delayMs, isCanceled: false };
        timers.push(timer);
        return timer;
      },
      clear(timer) {
        (timer as (typeof timers)[number]).isCanceled = true;
      },
    },
    ...options,
  });
  stream.start();
  return stream;
}

async function connected(options: Partial<SessionStreamOptions> = {}) {
  const stream = startStream(options);
  await until(() => statuses.length > 0);
  while (gateway.sockets.length === 0) await Promise.resolve().then(() => new Promise(setImmediate));
  await gateway.socket.sendControl({ type: 'state', state: 'connected' });
  await until(() => statuses.at(-1)?.state === 'connected');
  return { stream, socket: gateway.socket };
}

const states = () => statuses.map(({ state }) => state);

test('the ticket is a subprotocol and in no address', async () => {
  const { socket } = await connected();
  expect(socket.path).toBe(`/api/apps/greac/sessions/${gateway.sessionId}/stream`);
  expect(socket.subprotocols).toEqual(['yagura.stream.1', 'yagura.ticket.ticket-1']);
  expect(states()).toEqual(['attaching', 'connected']);
});

test('what is typed arrives in its order, and long text in pieces', async () => {
  const { stream, socket } = await connected();
  const long = '櫓'.repeat(40_000);
  stream.sendTerminal(new TextEncoder().encode('ls\r'));
  stream.sendTerminal(new TextEncoder().encode(long));
  stream.sendControl({ type: 'resize', columns: 100, rows: 30 });
  await socket.until(() => socket.controls('resize').length > 0);
  const pieces = socket.received.filter(({ type }) => type === 'terminal');
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces[0]).toEqual({ type: 'terminal', text: 'ls\r' });
  // The last message is the last one sent.
  expect(socket.received.at(-1)).toEqual({ type: 'resize', columns: 100, rows: 30 });
});

test('nothing is sent without credit, and typing comes before files once there is some', async () => {
  const { stream, socket } = await connected();
  socket.holdsCredit = true;
  const content = new Uint8Array(16_000);
  for (let part = 0; part < 20; part += 1) void stream.sendFile(1, content);
  await socket.until(() => socket.received.length === 16);
  stream.sendTerminal(new TextEncoder().encode('x'));
  socket.holdsCredit = false;
  const credit = new Uint8Array(9);
  new DataView(credit.buffer).setUint8(0, 2);
  new DataView(credit.buffer).setUint32(1, viewerChannel);
  new DataView(credit.buffer).setUint32(5, streamLimits.credit);
  socket.sendFrame(credit);
  await socket.until(() => socket.received.length === 21);
  expect(socket.received[16]).toEqual({ type: 'terminal', text: 'x' });
});

test('credit is returned when the terminal has parsed, not before', async () => {
  const { socket } = await connected();
  const part = new Uint8Array(16_000).fill(97);
  for (let count = 0; count < 16; count += 1) await socket.sendTerminal(part);
  await until(() => shown.length === 16);
  await expect(socket.sendTerminal(part)).rejects.toThrow('no credit');
  for (const { onParsed } of shown.splice(0)) {
    onParsed();
    // A second call returns nothing more.
    onParsed();
  }
  await socket.until(({ window }) => window.available > 16 * 12_000);
  expect(socket.window.available).toBeLessThanOrEqual(streamLimits.credit);
});

describe('after the connection was lost', () => {
  test('it attaches again, later each time', async () => {
    let problem: Problem | undefined;
    const attach = () => (problem ? Promise.reject(problem) : gateway.attach());
    const { socket } = await connected({ attach });
    problem = new Problem('unavailable');
    socket.close();
    for (const attempt of [1, 2, 3]) {
      await until(() => timers.length === attempt);
      timers.at(-1)!.callback();
    }
    await until(() => timers.length === 4);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([500, 1000, 2000, 4000]);
    problem = undefined;
    timers.at(-1)!.callback();
    while (gateway.sockets.length === 1) await new Promise(setImmediate);
    await gateway.socket.sendControl({ type: 'state', state: 'connected' });
    await until(() => statuses.at(-1)?.state === 'connected');
    gateway.socket.reset('GATEWAY_AWAY');
    await until(() => timers.length === 5);
    expect(timers.at(-1)!.delayMs).toBe(500);
    expect(statuses.at(-1)).toMatchObject({ state: 'reconnecting', code: 'GATEWAY_AWAY', attempt: 1 });
  });

  test('what is typed meanwhile is not sent later', async () => {
    const { stream, socket } = await connected();
    socket.close();
    await until(() => timers.length === 1);
    stream.sendTerminal(new TextEncoder().encode('rm -rf x\r'));
    timers[0]!.callback();
    while (gateway.sockets.length === 1) await new Promise(setImmediate);
    await gateway.socket.sendControl({ type: 'state', state: 'connected' });
    await until(() => statuses.at(-1)?.state === 'connected');
    stream.sendTerminal(new TextEncoder().encode('ls\r'));
    await gateway.socket.until(({ received }) => received.length > 0);
    expect(gateway.socket.received).toEqual([{ type: 'terminal', text: 'ls\r' }]);
  });

  test('it is lost when the heartbeats of the server stay away, and the next stream replaces it', async () => {
    let time = now;
    gateway = new TestGateway(() => time);
    const { socket } = await connected({ now: () => time });
    expect(timers).toEqual([]);
    socket.sendFrame(encodeCredit(viewerChannel, 0));
    expect(timers).toMatchObject([{ delayMs: streamSilenceMs }]);
    time += streamSilenceMs - 1000;
    await socket.sendTerminal('$');
    time += 1000;
    timers[0]!.callback();
    expect(timers[1]).toMatchObject({ delayMs: streamSilenceMs - 1000 });
    expect(states()).toEqual(['attaching', 'connected']);
    time += streamSilenceMs - 1000;
    timers[1]!.callback();
    expect(statuses.at(-1)).toMatchObject({ state: 'reconnecting', code: null });
    expect(socket.isClosed).toBe(true);
    timers[2]!.callback();
    while (gateway.sockets.length === 1) await new Promise(setImmediate);
    await gateway.socket.ready();
    expect(gateway.sockets.map(({ replaces }) => replaces)).toEqual([undefined, viewerIdOf(0)]);
  });

  test('who was given control comes back to control, and who gave it away to watch', async () => {
    const [you, other] = [viewerIdOf(100), viewerIdOf(200)];
    await connected({ mode: 'watch' });
    const comeBack = async () => {
      const count = gateway.sockets.length;
      gateway.socket.close();
      await until(() => statuses.at(-1)?.state === 'reconnecting');
      timers.at(-1)!.callback();
      while (gateway.sockets.length === count) await new Promise(setImmediate);
      await gateway.socket.ready();
      return gateway.socket.mode;
    };
    const giveControl = async (controller: string) => {
      const viewers = [you, other].map((viewerId) => ({
        ...{ viewerId, displayName: viewerId, wantsControl: false },
        mode: viewerId === controller ? ('control' as const) : ('watch' as const),
      }));
      const count = controls.length;
      await gateway.socket.sendControl({ type: 'viewers', you, viewers });
      await until(() => controls.length > count);
    };
    await giveControl(other);
    expect(await comeBack()).toBe('watch');
    await giveControl(you);
    expect(await comeBack()).toBe('control');
    // Somebody else was there first; that is no reason to give up.
    await giveControl(other);
    expect(await comeBack()).toBe('control');
    await giveControl(you);
    await giveControl(other);
    expect(await comeBack()).toBe('watch');
  });

  test('a stream that was left does not wait for heartbeats', async () => {
    const { stream, socket } = await connected();
    socket.sendFrame(encodeCredit(viewerChannel, 0));
    stream.leave();
    expect(timers).toMatchObject([{ isCanceled: true }]);
  });

  test('it attaches at once when it is told to, and its delays begin anew', async () => {
    let isAway = false;
    const { stream, socket } = await connected({
      attach: () => (isAway ? Promise.reject(new Problem('unreachable')) : gateway.attach()),
    });
    isAway = true;
    socket.close();
    for (const count of [1, 2, 3]) {
      await until(() => timers.length === count);
      if (count < 3) timers.at(-1)!.callback();
    }
    const [first, , third] = timers;
    expect(third!.delayMs).toBeGreaterThan(first!.delayMs);
    stream.retryNow();
    expect(third!.isCanceled).toBe(true);
    await until(() => timers.length === 4);
    expect(timers[3]!.delayMs).toBe(first!.delayMs);
    isAway = false;
    stream.retryNow();
    while (gateway.sockets.length === 1) await new Promise(setImmediate);
    await gateway.socket.sendControl({ type: 'state', state: 'connected' });
    await until(() => statuses.at(-1)?.state === 'connected');
    const count = timers.length;
    stream.retryNow();
    expect(timers).toHaveLength(count);
  });

  test('leaving cancels the next attempt', async () => {
    const { stream, socket } = await connected();
    socket.close();
    await until(() => timers.length === 1);
    stream.leave();
    expect(timers[0]!.isCanceled).toBe(true);
    expect(statuses.at(-1)).toEqual({ state: 'left' });
  });
});

describe('the stream is over', () => {
  test.each([
    ['FORBIDDEN', { state: 'failed', code: 'FORBIDDEN', params: {} }],
    ['HOST_KEY_CHANGED', { state: 'failed', code: 'HOST_KEY_CHANGED', params: {} }],
    ['SESSION_CLOSED', { state: 'ended', reason: '' }],
  ] as const)('after %s', async (code, status) => {
    const { socket } = await connected();
    socket.reset(code);
    await until(() => statuses.at(-1)?.state !== 'connected');
    expect([statuses.at(-1), pendingTimers()]).toEqual([status, []]);
  });

  test('and its close reason is asked for where it ends without one', async () => {
    const closeReason = async () => 'disconnected';
    const { socket } = await connected({ closeReason });
    socket.reset('SESSION_CLOSED');
    await until(() => statuses.at(-1)?.state === 'ended');
    expect(statuses.at(-1)).toEqual({ state: 'ended', reason: 'disconnected' });
    const attach = () => Promise.reject(new Problem('conflict', { title: 'SESSION_CLOSED' }));
    for (const [asked, reason] of [
      [closeReason, 'disconnected'],
      [() => Promise.reject(new Problem('unreachable')), ''],
    ] as const) {
      statuses = [];
      startStream({ attach, closeReason: asked });
      await until(() => statuses.length === 2);
      expect(statuses[1]).toEqual({ state: 'ended', reason });
    }
    // A server that does not answer is not waited for.
    statuses = [];
    timers = [];
    startStream({ attach, closeReason: () => new Promise(() => undefined) });
    while (timers.length === 0) await new Promise(setImmediate);
    timers[0]!.callback();
    await until(() => statuses.length === 2);
    expect(statuses[1]).toEqual({ state: 'ended', reason: '' });
  });

  test('when the gateway says so, with its reason', async () => {
    const { socket } = await connected();
    const params = { expected: 'SHA256:a', actual: 'SHA256:b' };
    await socket.sendControl({ type: 'state', state: 'failed', code: 'HOST_KEY_CHANGED', params });
    await until(() => statuses.at(-1)?.state === 'failed');
    expect(statuses.at(-1)).toEqual({
      ...{ state: 'failed', code: 'HOST_KEY_CHANGED', params, isClosed: true },
    });
    expect(socket.isClosed).toBe(true);
  });

  test('when attaching is refused', async () => {
    const problem = new Problem('forbidden');
    startStream({ attach: () => Promise.reject(problem) });
    await until(() => statuses.length === 2);
    expect(statuses[1]).toEqual({ state: 'failed', code: null, params: {}, problem });
  });

  test.each([
    ['SESSION_CLOSED', 'conflict', { state: 'ended', reason: '' }],
    ['CONNECTION_LIMIT_REACHED', 'too-many-requests', { state: 'failed', code: 'CONNECTION_LIMIT_REACHED' }],
    ['NO_KROKER', 'conflict', { state: 'failed', code: 'NO_KROKER' }],
  ] as const)('when attaching is refused with %s', async (title, kind, status) => {
    startStream({ attach: () => Promise.reject(new Problem(kind, { title })) });
    await until(() => statuses.length === 2);
    expect([statuses[1], pendingTimers()]).toMatchObject([status, []]);
  });

  test("when the gateway's key is not trusted; then no socket is opened", async () => {
    let seen: unknown[] = [];
    startStream({
      isTrusted: (...seenNow) => {
        seen = seenNow;
        return false;
      },
    });
    await until(() => statuses.length === 2);
    expect(statuses[1]).toMatchObject({ state: 'failed', code: 'UNTRUSTED' });
    expect(seen).toEqual([gateway.krokerId, expect.stringMatching(/^[\w-]{43}$/)]);
    expect(gateway.sockets).toEqual([]);
  });

  test.each([
    ['a record that was altered', () => encodeFrame('data', viewerChannel, new Uint8Array(40))],
    ['a frame of another channel', () => encodeFrame('data', 2, new Uint8Array(40))],
    ['a frame that cannot be read', () => Uint8Array.of(7)],
  ])('after %s', async (_what, frame) => {
    const { socket } = await connected();
    socket.sendFrame(frame());
    await until(() => statuses.at(-1)?.state === 'failed');
    expect(statuses.at(-1)).toMatchObject({ code: 'PROTOCOL' });
  });
});
