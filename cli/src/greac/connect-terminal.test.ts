// A session in the terminal from its start to its end, against a gateway of this process.
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { destinationId, GreacSpace, sessionId } from '../../test/greac-space.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { errorMessages } from '../command-line/report-error.ts';
import { connect } from './connect.ts';

const space = new GreacSpace();
vi.mock('undici', async (original) => ({
  ...(await original<object>()),
  WebSocket: function WebSocket(address: URL, { protocols }: { protocols: string[] }) {
    return space.webSocket(address, protocols);
  },
}));

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
  expect(socket.isClosed).toBe(true);
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
