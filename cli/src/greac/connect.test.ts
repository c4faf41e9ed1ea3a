// Desktops open in the browser; sessions of text need a terminal.
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { connect } from './connect.ts';

vi.mock('../terminal/open-browser.ts', () => ({ openBrowser: vi.fn() }));

const destinationId = '0190a0a0-0000-7000-8000-000000000001';
const sessionId = '0190a0a0-0000-7000-8000-000000000002';
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
