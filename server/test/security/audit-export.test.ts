// The export of the audit log has every selected record once, however many there are and whatever is written meanwhile.
import { auditRecord } from '@yagura/core/space/audit-record';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListRequest } from '../../src/resource/list/list-query.ts';
import { rowTable } from '../../src/resource/list/table.ts';
import { readSelectedRecords } from '../../src/space/behaviours/audit-export.ts';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** More than an export once had at most. */
const recordCount = 50_500;
const path = '/api/space/audit-records/export';

let server: TestServer;
let callApi: ApiCall;
beforeAll(async () => {
  server = (await startTestServer({ engine: 'embedded' }))!;
  callApi = createApiCall(
    transportForAllCalls(server.transportAs('privileged'), () => server.signedIn('privileged')),
  );
  await callApi('GET', '/api/internal/profile');
  await server.services.audit.flush();
  await addRecords(recordCount);
}, 120_000);
afterAll(() => server?.stop());

/** Adds records of three actors in turn behind the last one, far from the numbers that the server itself gives. */
async function addRecords(count: number): Promise<void> {
  const { database, spaceId } = server.services;
  await database.query(
    `insert into audit_record (audit_record_id, space_id, number, at, actor_kind, actor_name, address, user_agent,
       action, outcome, resource, hash)
     select gen_random_uuid(), $1, last + n, now(), 'server', 'actor ' || (n % 3), '', '', 'bulk', 'done', 'scope', ''
     from generate_series(1, $2::int) n, (select greatest(max(number), 1000000) as last from audit_record where space_id = $1) a`,
    [spaceId, count],
  );
}

async function exported(query: Record<string, string>) {
  const reply = await callApi('GET', `${path}?${new URLSearchParams(query)}`);
  expect(reply.status, reply.text + JSON.stringify(server.logLines.slice(-2))).toBe(200);
  return reply;
}

test('has all records as JSON, the newest first unless another order is given', async () => {
  const filter = 'action eq "bulk"';
  const numbersOf = async (sort?: string) => {
    const { text } = await exported({ filter, ...(sort && { sort }) });
    return (JSON.parse(text) as { number: number }[]).map(({ number }) => number);
  };
  const newestFirst = await numbersOf();
  expect(newestFirst).toHaveLength(recordCount);
  expect(newestFirst).toEqual([...newestFirst].sort((a, b) => b - a));
  expect(new Set(newestFirst).size).toBe(recordCount);
  expect(await numbersOf('number')).toEqual(newestFirst.toReversed());
});

test('has all records as CSV in any order of the list', async () => {
  const { text } = await exported({ format: 'csv', filter: 'action eq "bulk"', sort: 'actorName,-number' });
  const [head, ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n');
  const at = (name: string) => head!.split(',').indexOf(name);
  const [name, number] = [at('actorName'), at('number')];
  const rows = lines.map((line) => line.split(','));
  expect(rows).toHaveLength(recordCount);
  expect(new Set(rows.map((row) => row[number])).size).toBe(recordCount);
  const names = rows.map((row) => row[name]!);
  expect(names).toEqual([...names].sort());
  expect(Number(rows[0]![number])).toBeGreaterThan(Number(rows[1]![number]));
});

test('is an empty list or only the head when nothing is selected', async () => {
  const filter = 'action eq "nothing"';
  expect((await exported({ filter })).text).toBe('[]');
  expect((await exported({ filter, format: 'csv' })).text).toMatch(/^\ufeff?auditRecordId,[\w,]+\r\n$/);
});

test.each([
  [[{ field: 'number', descending: true }]],
  [[{ field: 'number', descending: false }]],
  [[{ field: 'actorName', descending: false }]],
])('does not move with records that are written meanwhile: %j', async (sort) => {
  const { services } = server;
  const table = rowTable(auditRecord, { from: 'audit_record a', alias: 'a' });
  const none = { filter: undefined, search: undefined, since: undefined, until: undefined };
  const request: ListRequest = { ...none, sort, limit: 10, offset: 0 };
  const context = { services, spaceId: services.spaceId, params: {} };
  const { rows } = await services.database.query<{ number: string }>(
    'select number::text as number from audit_record where space_id = $1 order by audit_record.number',
    [services.spaceId],
  );
  const read: string[] = [];
  let isFirst = true;
  for await (const batch of readSelectedRecords(context, table, request)) {
    read.push(...batch.map(({ number }) => String(number)));
    if (isFirst) await addRecords(5);
    isFirst = false;
  }
  expect(read.sort((a, b) => Number(a) - Number(b))).toEqual(rows.map(({ number }) => number));
});
