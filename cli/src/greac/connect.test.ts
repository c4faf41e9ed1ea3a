// Desktops open in the browser; sessions of text need a terminal.
import { createServer, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { destinationId, GreacSpace, sessionId } from '../../test/greac-space.ts';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { errorMessages } from '../command-line/report-error.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { connect } from './connect.ts';

vi.mock('../terminal/open-browser.ts', () => ({ openBrowser: vi.fn() }));

let server: Server;
let origin: string;
let protocol: string;
let created: string[];
let shown: TestTerminal;

beforeAll(async () => {
  server = createServer((request, response) => {
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const path = request.url!.split('?')[0]!;
    const item = { destinationId, displayName: 'desktop', destinationName: 'desktop', sessionId, protocol };
    if (request.method === 'POST') {
      created.push(path);
      return reply(201, item);
    }
    if (path.endsWith('/destinations')) return reply(200, { items: [item], total: 1 });
    reply(path.endsWith(destinationId) || path.endsWith(sessionId) ? 200 : 404, item);
  });
  origin = await listenOnLoopback(server);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(async () => {
  protocol = 'rdp';
  created = [];
  vi.mocked(openBrowser).mockReset();
  await start();
});

async function start(live = false): Promise<void> {
  shown = await testTerminal({ live, env: { YAGURA_URL: origin, YAGURA_TOKEN: 'token' } });
}

test('the address of a desktop is printed without a terminal', async () => {
  await connect(shown.terminal, 'desktop', {});
  expect(shown.out()).toBe(`${origin}/apps/greac/connect/${sessionId}\n`);
  expect(created).toEqual(['/api/apps/greac/sessions']);
  expect(openBrowser).not.toHaveBeenCalled();
});

test('a desktop opens in the browser, and its address is shown', async () => {
  await start(true);
  vi.mocked(openBrowser).mockResolvedValue(true);
  await connect(shown.terminal, sessionId, { watch: true });
  const address = `${origin}/apps/greac/connect/${sessionId}?mode=watch`;
  expect(openBrowser).toHaveBeenCalledWith(address);
  expect(shown.err()).toContain(`The desktop opens in the browser: ${address}`);
  expect([created, shown.out()]).toEqual([[], '']);
});

test.each([
  ['on request', false, true],
  ['if no browser can be opened', true, false],
])('the address of a desktop is printed %s', async (_when, open, hasBrowser) => {
  await start(true);
  vi.mocked(openBrowser).mockResolvedValue(hasBrowser);
  await connect(shown.terminal, 'desktop', { open });
  expect(shown.out()).toContain(`/apps/greac/connect/${sessionId}\n`);
  expect(openBrowser).toHaveBeenCalledTimes(open ? 1 : 0);
});

test('no other session is opened without a terminal', async () => {
  protocol = 'ssh';
  for (const target of ['desktop', sessionId])
    await expect(connect(shown.terminal, target, {})).rejects.toMatchObject({
      messageKey: 'cli.connect.no-terminal',
    });
  expect(created).toEqual([]);
});

describe('a session in the terminal', () => {
  const space = new GreacSpace();
  let shown: TestTerminal;
  let stdin: PassThrough & { isRaw: boolean };
  let screen: string;
  let interrupt: AbortController;
  beforeAll(() => space.start());
  afterAll(() => space.stop());
  beforeEach(async () => {
    space.reset();
    interrupt = new AbortController();
    shown = await testTerminal({ live: true, env: space.env, signal: interrupt.signal });
    stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      isRaw: false,
      setRawMode(on: boolean) {
        this.isRaw = on;
      },
    });
    shown.terminal = { ...shown.terminal, stdin: stdin as never };
    screen = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((bytes, ...more) => {
      screen += typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
      for (const one of more) if (typeof one === 'function') (one as () => void)();
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const leave = `POST /api/apps/greac/sessions/${sessionId}/leave`;
  const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);

  test('the session is opened with the remarks and left with its keys, and its id is told', async () => {
    const session = connect(shown.terminal, 'web1', { remarks: 'disk full' });
    const socket = await space.connected();
    await vi.waitFor(() => expect(stdin.isRaw).toBe(true));
    expect(space.opened).toEqual([{ destinationId, remarks: 'disk full' }]);
    stdin.write('\r~.');
    await session;
    expect(stdin.isRaw).toBe(false);
    await socket.until(({ isClosed }) => isClosed);
    expect(space.calls.at(-1)).toBe(leave);
    expect(screen).toContain(t('cli.connect.opened', { name: 'web1' }));
    expect(screen).toContain(t('cli.connect.left', { session: sessionId }));
  });

  test('Ctrl-C from outside leaves the session', async () => {
    const session = connect(shown.terminal, sessionId, { watch: true });
    await space.connected();
    interrupt.abort();
    await session;
    expect(space.opened).toEqual([]);
    expect(space.calls.at(-1)).toBe(leave);
  });

  test('the end of the session is told, and it is not left again', async () => {
    const session = connect(shown.terminal, 'web1', {});
    const socket = await space.connected();
    await socket.sendControl({ type: 'state', state: 'ended', code: 'ended' });
    await session;
    expect(screen).toContain(t('cli.connect.ended'));
    expect(space.calls).not.toContain(leave);
  });

  test('a session that was cut off is an error', async () => {
    const session = connect(shown.terminal, 'web1', {}).catch((reason: unknown) => reason);
    const socket = await space.connected();
    await socket.sendControl({ type: 'state', state: 'ended', code: 'disconnected' });
    expect(errorMessages(shown.terminal, await session)).toEqual([t('stream.disconnected')]);
    expect(screen).not.toContain(t('cli.connect.ended'));
  });

  test('who comes back after the session was cut off is told as well', async () => {
    space.refusal = {
      status: 409,
      body: { type: 'urn:yagura:problem:conflict', title: 'SESSION_CLOSED' },
    };
    space.closeReason = 'disconnected';
    const session = connect(shown.terminal, 'web1', {}).catch((reason: unknown) => reason);
    expect(errorMessages(shown.terminal, await session)).toEqual([t('stream.disconnected')]);
    space.closeReason = 'ended';
    await connect(shown.terminal, 'web1', {});
    expect(screen).toContain(t('cli.connect.ended'));
  });

  test('a session that fails is an error with the reason', async () => {
    const session = connect(shown.terminal, 'web1', {});
    const socket = await space.connected();
    await socket.sendControl({
      type: 'state',
      state: 'failed',
      code: 'CONNECTION_REFUSED',
      params: {},
    } as never);
    const error = await session.catch((reason: unknown) => reason);
    expect(errorMessages(shown.terminal, error)[0]).toContain(
      t('cli.connect.failed', { reason: '', details: '' }).trim(),
    );
    expect(stdin.isRaw).toBe(false);
  });

  test('the destination is checked before a session is opened where there is no terminal', async () => {
    shown = await testTerminal({ env: space.env });
    await expect(connect(shown.terminal, 'web1', {})).rejects.toMatchObject({
      messageKey: 'cli.connect.no-terminal',
    });
    expect(space.calls).toEqual([]);
  });
});
