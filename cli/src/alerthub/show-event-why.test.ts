// `why --event` over a real connection; the test scripts the reply.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventExplanation } from '@yagura/core/alerthub/decision-log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { showEventWhy } from './show-event-why.ts';

const eventId = '01a1fea7-056f-700d-b199-539c2daf013a';
const folder = mkdtempSync(join(tmpdir(), 'yagura-event-why-'));
const why: EventExplanation = {
  event: {
    eventId,
    scopeId: 's',
    scopeName: 'Web\u001b[31m',
    severityName: 'default',
    delta: 1,
    previousSeverity: 0,
    severity: 1,
    statusBefore: 'normal',
    statusAfter: 'normal',
    ruleId: null,
    triggers: [],
  },
  createdAt: '2026-01-31T09:00:00.000Z',
  source: 'api',
  cause: { kind: 'person', userId: 'u', name: 'Hana' },
  message: null,
  rule: null,
  acknowledgements: [],
  deliveries: [],
};
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const isKnown = request.url === `/api/apps/alerthub/events/${eventId}/why`;
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? why : { title: 'Not found' }));
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

const open = () => testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });

test('the cause comes first, then the event, without control characters', async () => {
  const { terminal, out } = await open();
  await showEventWhy(terminal, eventId, {});
  expect(out().split('\n')).toEqual([
    'User "Hana" raised the event  2026-01-31T09:00:00.000Z',
    expect.stringMatching(/^ {2}Event on scope "Web\P{Cc}*": severity "default" \+1, from 0 to 1/u),
    expect.stringMatching(/^ {4}Scope "Web\P{Cc}*" had no trigger/u),
    '',
  ]);
});

test('as data, whole or some of its fields', async () => {
  const whole = await open();
  await showEventWhy(whole.terminal, eventId, { output: 'json' });
  expect(JSON.parse(whole.out())).toEqual(why);
  const some = await open();
  await showEventWhy(some.terminal, eventId, { json: 'source,cause' });
  expect(JSON.parse(some.out())).toEqual({ source: 'api', cause: why.cause });
});

test('an unknown event and an unknown field are refused', async () => {
  await expect(showEventWhy((await open()).terminal, 'other', {})).rejects.toMatchObject({
    kind: 'not-found',
  });
  await expect(showEventWhy((await open()).terminal, eventId, { json: 'evaluatedAt' })).rejects.toThrow();
});
