import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createTestClock } from '../../test/support/test-clock.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { auditRefusals } from './audit-refusals.ts';
import { setCaller } from './create-request-context.ts';

function serve() {
  const entries: AuditEntry[] = [];
  const clock = createTestClock();
  const app = Fastify();
  auditRefusals(app, { enqueue: (entry) => void entries.push(entry) }, clock);
  app.get<{ Querystring: { who: string } }>('/things/:id', async (request, reply) => {
    const claims = { privileged: false, roles: [] };
    setCaller(request, {
      principal: {
        ...{ spaceId: 's', userId: request.query.who, email: 'a@example.com', kind: 'person' },
        ...{ displayName: 'A', claims, narrowed: false },
      },
      from: { address: '192.0.2.1', userAgent: '' },
    });
    return reply.code(403).send();
  });
  const get = (id: string, who = 'one') => app.inject(`/things/${id}?who=${who}`);
  return { app, clock, get, details: () => entries.map(({ detail }) => detail) };
}

test('a refusal is noted at once, and its repeats as one number', async () => {
  const { clock, get, details } = serve();
  for (let turn = 0; turn < 50; turn++) await get('a');
  await get('b');
  expect(details()).toEqual(['GET /things/a']);
  await clock.advance(60_000);
  expect(details()).toEqual(['GET /things/a', 'GET /things/a (refused 50 more times within a minute)']);
  await get('a');
  expect(details()).toHaveLength(3);
  await clock.advance(60_000);
  expect(details()).toHaveLength(3);
});

test('other callers are noted for themselves, and nothing is lost at the end', async () => {
  const { app, get, details } = serve();
  await get('a');
  await get('a', 'other');
  await get('a');
  expect(details()).toHaveLength(2);
  await app.close();
  expect(details()).toEqual([
    'GET /things/a',
    'GET /things/a',
    'GET /things/a (refused 1 more times within a minute)',
  ]);
});
