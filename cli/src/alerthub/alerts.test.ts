// `alerts --watch` over a real connection; the test scripts the replies and the change events.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { type AlertsOptions, showAlerts } from './alerts.ts';

const id = '01a1fea7-056f-700d-b199-539c2daf013a';
const folder = mkdtempSync(join(tmpdir(), 'yagura-alerts-'));

let server: Server;
let feed: ServerResponse | undefined;
let lists = 0;
/** Status code of the replies. */
let status = 200;
/** The scope returned to the client; null when it was deleted. */
let scope: Record<string, unknown> | null;
let lastEventAt: string;
/** `sinceAt` of the requests for events. */
let eventBounds: string[];
let lastEvent: { severityName?: string; delta: number; severity: number };

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    if (path === '/api/internal/changes') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
      feed = response;
      return;
    }
    const isList = path === '/api/apps/alerthub/scopes';
    if (isList) lists += 1;
    const code = status !== 200 && isList ? status : path.endsWith(id) && !scope ? 404 : 200;
    response.writeHead(code, { 'content-type': 'application/json' });
    const item = { scopeId: id, displayName: 'Database', lastEventAt, ...scope };
    const page = (items: unknown[]) => ({ items, total: items.length, limit: 200, offset: 0 });
    if (code !== 200) response.end(JSON.stringify({ title: 'It is broken' }));
    else if (isList) response.end(JSON.stringify(page(scope && scope.status !== 'normal' ? [item] : [])));
    else if (path.endsWith('/events')) {
      eventBounds.push(new URL(request.url!, 'http://a').searchParams.get('sinceAt') ?? '');
      response.end(JSON.stringify(page([lastEvent])));
    } else response.end(JSON.stringify(item));
  });
  const url = await listenOnLoopback(server);
  const credential = { kind: 'person', accessToken: 'a', refreshToken: 'r', expiresAt: 9e15, issuer: url };
  writeFileSync(
    join(folder, 'profiles.json'),
    JSON.stringify({ current: 'p', profiles: { p: { url, credential } } }),
  );
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  feed = undefined;
  lists = 0;
  eventBounds = [];
  status = 200;
  scope = { status: 'incident', severity: 4 };
  lastEventAt = '2026-01-31T09:00:00.000Z';
  lastEvent = { severityName: 'high', delta: 4, severity: 4 };
});

async function follow(options: { output?: string; live?: boolean; unacknowledged?: boolean } = {}) {
  const stop = new AbortController();
  const { terminal, out, err } = await testTerminal({
    env: { YAGURA_CONFIG_DIR: folder, COLUMNS: '50' },
    signal: stop.signal,
    live: options.live ?? false,
  });
  feed = undefined;
  let said = '';
  let told = '';
  const watching = showAlerts(terminal, {
    watch: true,
    every: '10',
    ...(options.output ? { output: options.output } : {}),
    ...(options.unacknowledged ? { unacknowledged: true } : {}),
  });
  await vi.waitFor(() => expect(feed).toBeDefined());
  return {
    out: () => (told += out()),
    err: () => (said += err()),
    /** Emits a change event and waits until the list was read again and the resulting output is written. */
    async change() {
      const before = lists;
      feed!.write(`event: change\ndata: {"resource":"scope","id":"${id}"}\n\n`);
      await vi.waitFor(() => expect(lists).toBeGreaterThan(before), { timeout: 5000 });
    },
    async end() {
      stop.abort();
      await watching;
    },
  };
}

test.each(['table', 'wide'])(
  '-o %s names the scope and its last event on a narrow screen',
  async (output) => {
    const { terminal, out } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder, COLUMNS: '50' } });
    await showAlerts(terminal, { output });
    const [head, line, ...rest] = out().split('\n');
    expect(rest).toEqual(['']);
    expect(line).toContain('Database');
    expect(line).toContain('Incident');
    expect(line).not.toContain('{');
    expect(head).not.toContain('LASTEVENT');
    expect(line!.includes(id)).toBe(output === 'wide');
    if (output === 'table') expect(Math.max(head!.length, line!.length)).toBeLessThanOrEqual(50);
    else expect(line).toMatch(/high \+4 → 4$/);
    // Older events are not counted.
    expect(eventBounds).toEqual([lastEventAt]);
  },
);

test('a recovery is told with the event that recovered', async () => {
  const { out, change, end } = await follow({ output: 'ndjson' });
  scope = { status: 'normal', severity: 0 };
  lastEvent = { delta: -4, severity: 0 };
  await change();
  await vi.waitFor(() => expect(out().trim().split('\n')).toHaveLength(2));
  const [raised, settled] = out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(raised).toMatchObject({ status: 'incident', severity: 4, lastEvent: { delta: 4 } });
  expect(settled).toMatchObject({
    scopeId: id,
    displayName: 'Database',
    status: 'normal',
    severity: 0,
    lastEvent: { delta: -4 },
  });
  await end();
});

test('a scope that is gone is told as normal, with no event', async () => {
  const { out, change, end } = await follow({ output: 'ndjson' });
  scope = null;
  await change();
  await vi.waitFor(() => expect(out().trim().split('\n')).toHaveLength(2));
  expect(JSON.parse(out().trim().split('\n')[1]!)).toMatchObject({
    displayName: 'Database',
    status: 'normal',
    severity: 0,
    lastEvent: null,
  });
  await end();
});

test('lines for a script: what changed, and the end of it', async () => {
  const { out, change, end } = await follow();
  scope = { status: 'incident', severity: 9 };
  await change();
  await vi.waitFor(() => expect(out()).toContain('\t9\t'));
  await change();
  scope = { status: 'normal', severity: 0 };
  await change();
  await vi.waitFor(() => expect(out()).toContain('normal'));
  const raised = '{"severityName":"high","delta":4,"severity":4}';
  expect(out().split('\n')).toEqual([
    `incident\t${id}\tDatabase\t4\t2026-01-31T09:00:00.000Z\t${raised}`,
    `incident\t${id}\tDatabase\t9\t2026-01-31T09:00:00.000Z\t${raised}`,
    `normal\t${id}\tDatabase\t0\t2026-01-31T09:00:00.000Z\t${raised}`,
    '',
  ]);
  await end();
});

test('a pipe gets the same columns with and without --watch', async () => {
  const { out, end } = await follow();
  await vi.waitFor(() => expect(out()).toContain('\n'));
  const once = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });
  await showAlerts(once.terminal, {});
  expect(once.out()).toBe(out());
  await end();
});

test.each([
  ['csv', '--watch, --output csv'],
  ['table', '--watch, --output table'],
])('--watch does not go with -o %s, and the refusal names the flags', async (output, flags) => {
  const { terminal } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });
  await expect(showAlerts(terminal, { watch: true, output })).rejects.toMatchObject({ params: { flags } });
  await expect(showAlerts(terminal, { watch: true, jq: '.' })).rejects.toMatchObject({
    params: { flags: '--watch, --jq' },
  });
});

test.each([
  ['right', 0],
  ['three hours ahead', 3 * 3_600_000],
  ['two days behind', -48 * 3_600_000],
])('ages are told by the clock of the space where the own one is %s', async (_what, wrong) => {
  lastEventAt = new Date(Date.now() - 185_000).toISOString();
  const { terminal, out } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder }, live: true });
  await showAlerts({ ...terminal, now: () => Date.now() + wrong }, {});
  expect(out()).toContain('3 min ago');
});

test('an outage is told once in a file, and in one line on a screen', async () => {
  for (const live of [false, true]) {
    status = 200;
    const { err, change, end } = await follow(live ? { live } : {});
    status = 500;
    for (let look = 0; look < 3; look += 1) await change();
    await vi.waitFor(() => expect(err()).toContain('Update failed'));
    status = 200;
    await change();
    status = 500;
    await change();
    const outages = () => err().match(/Update failed/g)!.length;
    const replaced = () => err().split('\x1b[1A').length - 1;
    // The first outage, and the second one after a successful reply.
    await vi.waitFor(() => expect(outages() - replaced()).toBe(2));
    if (!live) expect(replaced()).toBe(0);
    expect(err()).not.toContain('\n\n');
    // A longer line would wrap, and rewriting it would leave its first part on the screen.
    if (live)
      expect(
        Math.max(
          ...err()
            .split('\n')
            .map((line) => line.length),
        ),
      ).toBeLessThan(60);
    await end();
  }
});

describe('acknowledged alerts', () => {
  const acknowledged = {
    status: 'incident',
    severity: 4,
    acknowledgedAt: '2026-01-31T09:01:00.000Z',
    acknowledgedBy: 'Hana',
  };
  async function show(options: AlertsOptions, live = true): Promise<string> {
    const { terminal, out } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder }, live });
    await showAlerts(terminal, options);
    return out();
  }

  test.each([[{}], [{ output: 'table' }]])(
    '%j names who acknowledged one, where there is any',
    async (options) => {
      const title = /ACKNOWLEDGED BY/i;
      expect(await show(options)).not.toMatch(title);
      scope = acknowledged;
      const shown = await show(options);
      expect(shown).toMatch(title);
      expect(shown).toContain('Hana');
    },
  );

  test('--unacknowledged leaves them out, and says that there is no other', async () => {
    expect(await show({ unacknowledged: true })).toContain('Database');
    scope = acknowledged;
    expect(await show({ unacknowledged: true })).toBe('No unacknowledged alerts\n');
    expect(await show({ unacknowledged: true }, false)).toBe('');
  });

  test('--watch --unacknowledged tells one that is acknowledged, and that is raised again', async () => {
    const { out, change, end } = await follow({ output: 'ndjson', unacknowledged: true });
    scope = acknowledged;
    await change();
    await change();
    scope = { status: 'incident', severity: 9, acknowledgedAt: null };
    await change();
    await vi.waitFor(() => expect(out().trim().split('\n')).toHaveLength(3));
    expect(
      out()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { severity: 4 },
      { severity: 4, acknowledgedBy: 'Hana' },
      { severity: 9, acknowledgedAt: null },
    ]);
    await end();
  });
});
