// `rules test` over a real connection; the test scripts the reply.
import { createServer, type Server } from 'node:http';
import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import type { RuleTestReplyBody } from '@yagura/core/alerthub/rule-test';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { testRule } from './rule-test.ts';

const id = '01a1fea7-056f-700d-b199-539c2daf013a';
const at = '2026-01-31T09:00:00.000Z';

let server: Server;
let origin: string;
let reply: RuleTestReplyBody;

const logOf = (outcome: 'matched' | 'unmatched'): DecisionLog => ({
  messageId: id,
  receivedAt: at,
  receiveSlotId: id,
  receiveSlotName: 'Mail',
  evaluatedAt: at,
  repeated: null,
  notes: [],
  rules: [{ ruleId: id, displayName: 'Critical', outcome, steps: [], notes: [] }],
  events: [],
  deliveries: [],
});

const twoTrials = (): RuleTestReplyBody['trials'] => [
  { messageId: id, receivedAt: at, held: [], matched: true, why: logOf('matched') },
  { messageId: id, receivedAt: at, held: [], matched: false, why: logOf('unmatched') },
];

beforeAll(async () => {
  server = createServer((request, response) => {
    const isTest = request.method === 'POST' && request.url === '/api/apps/alerthub/rules/test';
    response.writeHead(isTest ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isTest ? reply : { title: 'Not found' }));
  });
  origin = await listenOnLoopback(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  reply = { matched: true, why: logOf('matched'), held: [] };
});

async function testWith(options: Parameters<typeof testRule>[2]) {
  const { terminal, out, err } = await testTerminal({
    env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' },
    input: '{"displayName":"Critical"}',
  });
  await testRule(terminal, undefined, { input: '-', message: id, ...options });
  return { out: out(), err: err() };
}

test('as data, whole or some of its fields, and nothing beside it', async () => {
  const whole = await testWith({ output: 'json' });
  expect(JSON.parse(whole.out)).toEqual(reply);
  expect(whole.err).toBe('');
  const some = await testWith({ json: 'matched,held' });
  expect(JSON.parse(some.out)).toEqual({ matched: true, held: [] });
});

test('the result of many messages as data has every trial', async () => {
  reply.trials = twoTrials();
  const many = await testWith({ output: 'json' });
  expect(JSON.parse(many.out)).toEqual(reply);
  expect(many.err).toBe('');
});

test('for a person, whether the rule matches and why', async () => {
  for (const output of [undefined, 'table']) {
    const { out, err } = await testWith(output ? { output } : {});
    expect(err).toBe('The rule matches this message\n');
    expect(out).toContain('Critical');
    expect(out).not.toContain('{');
  }
  reply = { matched: false, why: logOf('unmatched'), held: [] };
  expect((await testWith({})).err).toBe('The rule does not match this message\n');
});

test('for a person, how many of the messages match', async () => {
  reply.trials = twoTrials();
  const { out, err } = await testWith({});
  expect(err).toBe('The rule matches 1 of 2 messages\n');
  expect(out.match(/Critical/g)).toHaveLength(2);
});
