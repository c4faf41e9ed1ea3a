// Requests as published clients of the product's API send them, and what those clients read from the replies.
import { resources } from '@yagura/core/all';
import { fillPath } from '@yagura/core/resource/define-resource';
import { expandableRelations } from '@yagura/core/resource/relations';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import { type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;

let server: TestServer;
let seeded: Fixtures['params'];
let callApi: ApiCall;

beforeAll(async () => {
  server = (await startTestServer())!;
  seeded = (await seedFixtures(server)).params;
  callApi = createApiCall(server.transportAs('privileged'));
}, 120_000);
afterAll(() => server?.stop());

const read = async (path: string) => {
  const { status, data } = await callApi('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return data as Item & { items: Item[] };
};
const problemOf = ({ status, data }: ApiReply) => ({ status, ...(data as Item) });

describe('an inventory export', () => {
  const snapshotPath = () => fillPath('/api/apps/sonar/networks/{networkId}/snapshots/{snapshotId}', seeded);

  test('reads a node of a snapshot and its lists by the id of its managed node', async () => {
    const { items } = await read(`${snapshotPath()}/nodes?limit=100`);
    // Two hosts of the seeded managed node are in the snapshot, because it was merged by hand.
    const { nodeId, managedNodeId } = items.find(
      (one) => one.managedNodeId !== seeded.managedNodeId && Number(one.numberOfPackages) > 0,
    )!;
    for (const part of ['', '/packages', '/windows-updates'])
      expect(await read(`${snapshotPath()}/nodes/${managedNodeId}${part}`)).toEqual(
        await read(`${snapshotPath()}/nodes/${nodeId}${part}`),
      );
    expect((await read(`${snapshotPath()}/nodes/${managedNodeId}/packages`)).items).not.toEqual([]);
  });

  test('does not find a managed node in a snapshot of another network', async () => {
    const { data } = await callApi('POST', '/api/apps/sonar/networks', { displayName: 'other' });
    const other = `/api/apps/sonar/networks/${(data as Item).networkId}/snapshots/${seeded.snapshotId}`;
    for (const id of [seeded.managedNodeId, seeded.nodeId])
      expect((await callApi('GET', `${other}/nodes/${id}`)).status).toBe(404);
  });

  test('meets no null inside the lists of a node', async () => {
    const lists = [
      `/api/apps/sonar/networks/${seeded.networkId}/managed-nodes?limit=100`,
      `${snapshotPath()}/nodes?limit=100`,
    ];
    for (const path of lists) {
      const { items } = await read(path);
      expect(items.length).toBeGreaterThan(0);
      const entries = items.flatMap((item) =>
        ['addresses', 'interfaces', 'neighbors'].flatMap((name) => item[name] as Item[]),
      );
      expect(entries.some((entry) => 'macaddr' in entry)).toBe(true);
      expect(entries.filter((entry) => JSON.stringify(entry).includes(':null'))).toEqual([]);
    }
  });
});

describe('a bulk script', () => {
  test('writes an empty list as {} or null, and a name of digits as a number', async () => {
    const reply = await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: 20260401,
      kind: 'email',
      parameters: {
        to: [{ name: 1, email: 'duty@example.com' }],
        cc: {},
        bcc: null,
        subject: 'down',
        text: 1,
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.data).toMatchObject({
      displayName: '20260401',
      parameters: { to: [{ name: '1' }], cc: [], bcc: [], text: '1' },
    });
    const { actionId } = reply.data as Item;
    const edited = { ...(reply.data as Item), remarks: 7 };
    expect((await callApi('PUT', `/api/apps/alerthub/actions/${actionId}`, edited)).data).toMatchObject({
      remarks: '7',
    });
  });

  test('is told the field when a value is neither', async () => {
    const to = { email: 'duty@example.com' };
    const reply = await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: true,
      kind: 'email',
      parameters: { to, subject: 'down' },
    });
    expect(problemOf(reply)).toMatchObject({ status: 400, invalidParams: [{ name: 'displayName' }] });
  });

  test('sends a body too large to be read inline in the same form', async () => {
    const reply = await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: 7,
      kind: 'email',
      parameters: { to: [{ email: 'duty@example.com' }], cc: {}, subject: 'down', text: 'x'.repeat(100_000) },
    });
    expect(reply.data).toMatchObject({ displayName: '7', parameters: { cc: [] } });
  });
});

test('a call script reads the results as calls', async () => {
  // A call of the fixtures may go on between the two requests.
  const calls = await vi.waitFor(
    async () => {
      const found = await read('/api/apps/pigeon/calls?offset=0&limit=100');
      expect(found).toEqual(await read('/api/apps/pigeon/results?offset=0&limit=100'));
      return found;
    },
    { timeout: 30_000 },
  );
  expect(calls.items[0]).toMatchObject({ resultId: expect.any(String), status: expect.any(String) });
  const operator = createApiCall(server.transportAs(['alerthub:viewer']));
  expect((await operator('GET', '/api/apps/pigeon/calls')).status).toBe(403);
  expect(problemOf(await callApi('GET', '/api/apps/pigeon/calls?limit=0'))).toMatchObject({
    status: 400,
    invalidParams: [{ name: 'limit' }],
  });
});

describe('$expand', () => {
  const alerthub = resources.filter(({ app, verbs }) => app === 'alerthub' && verbs.includes('list'));
  const related = alerthub.flatMap((resource) =>
    Object.entries(expandableRelations(resource)).map(([relation, target]) => ({
      resource,
      relation,
      target,
    })),
  );

  test.each(related.map((one) => [`${one.relation} of ${one.resource.name}`, one] as const))(
    'includes the %s',
    async (_name, { resource, relation, target }) => {
      const path = fillPath(resource.path, seeded);
      const plain = await read(`${path}?limit=1000`);
      const { items } = await read(`${path}?limit=1000&$expand=${relation}`);
      const id = resources.find(({ name }) => name === target)!.id;
      for (const [at, item] of items.entries()) {
        const { [relation]: expanded, ...rest } = item;
        expect(rest).toEqual(plain.items[at]);
        const given = item[`${relation}Id`];
        if (expanded === null) continue;
        expect((expanded as Item)[id]).toBe(given);
      }
    },
  );

  test('finds what the seeded records refer to', async () => {
    const list =
      '/api/apps/alerthub/action-records?filter=triggerId%20pr&$expand=scope,event,%20trigger,action,message';
    const [record] = (await read(list)).items;
    expect(record!.scopeId).not.toBeNull();
    expect(record).toMatchObject({
      scope: { scopeId: record!.scopeId, status: expect.any(String) },
      event: { eventId: record!.eventId },
      trigger: { triggerId: record!.triggerId },
      action: { actionId: record!.actionId, parameters: expect.any(Object) },
      message: { messageId: record!.messageId, ruleResult: expect.any(Object) },
    });
    const one = `/api/apps/alerthub/action-records/${record!.actionRecordId}?$expand=action`;
    expect(await read(one)).toMatchObject({ action: record!.action });
  });

  test.each([
    ['/api/apps/alerthub/action-records?$expand=scope,nodes', /nodes.*scope/],
    ['/api/apps/alerthub/scopes?$expand=rules', /Nothing/],
    ['/api/apps/sonar/networks?$expand=ksocketSlot', /Nothing/],
    ['/api/apps/alerthub/message/count/monthly?$expand=receiveSlot', /./],
    ['/api/apps/alerthub/bulk-operations/scopes/imports?$expand=user', /Nothing/],
    ['/api/apps/alerthub/action-records?$expand=scope&$expand=action', /once/],
  ])('is refused by name: %s', async (path, reason) => {
    expect(problemOf(await callApi('GET', path))).toMatchObject({
      status: 400,
      invalidParams: [{ name: '$expand', reason: expect.stringMatching(reason) }],
    });
  });

  test('needs the permission to read what it includes', async () => {
    const viewer = createApiCall(server.transportAs(['alerthub:viewer']));
    const list = '/api/apps/alerthub/action-records?$expand=';
    expect((await viewer('GET', `${list}scope`)).status).toBe(200);
    expect(problemOf(await viewer('GET', `${list}result`))).toMatchObject({
      status: 403,
      detail: expect.stringContaining('pigeon:results:get'),
    });
  });
});
