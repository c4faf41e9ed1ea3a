// Calls without a credential return no data, and the data of another space stays hidden; powers.test.ts
// checks the permissions of each role.
import { resources } from '@yagura/core/all';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime } from '../../src/common/clock.ts';
import { referencesIn } from '../../src/resource/references.ts';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import type { ForeignSpace } from '../support/fixtures/app-fixtures.ts';
import { post } from '../support/post.ts';
import { listResourceCalls } from '../support/resource-calls.ts';
import { appFixtures, type Fixtures, inputs, seedFixtures } from '../support/seed-fixtures.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let fixtures: Fixtures;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (server) fixtures = await seedFixtures(server);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  test('without a credential, or with a wrong one, every call is a 401', async () => {
    const { origin } = server!;
    for (const headers of [
      {},
      { 'x-authorization': `Token ygr_${'A'.repeat(43)}` },
      { authorization: 'Bearer x' },
    ]) {
      const callApi = createApiCall({ fetch, origin, headers: () => headers as Record<string, string> });
      for (const call of [
        ...listResourceCalls(fixtures.params),
        ...listResourceCalls(fixtures.params, { inside: true }),
      ]) {
        const reply = await callApi(call.method, call.path, call.body);
        expect(reply, `${call.method} ${call.path}`).toMatchObject({
          status: 401,
          type: 'application/problem+json',
        });
        expect(reply.headers.get('www-authenticate')).toContain('Bearer');
      }
    }
  });

  describe('another space', () => {
    const other = '0190a0a0-1111-7000-8000-000000000001';
    const token = 'o'.repeat(43);
    const ids: Record<string, string> = Object.fromEntries(
      [...new Set(resources.filter((one) => !one.singleton).map((one) => one.id)), 'userId']
        .filter((name) => name.endsWith('Id'))
        .map((name, at) => [name, `0190a0a0-2222-7000-8000-${String(at).padStart(12, '0')}`]),
    );
    const secret = 'otherwise unseen';
    let callApi: ApiCall;
    let before: unknown;

    /** All rows of the other space. */
    async function snapshot(): Promise<unknown> {
      const rows: unknown[] = [];
      for (const name of [
        'resource',
        'reference',
        ...appFixtures.flatMap((example) => example.tables ?? []),
      ]) {
        const found = await server!.services.database.query(
          `select to_jsonb(t) as row from ${name} t where space_id = $1 order by 1`,
          [other],
        );
        rows.push([name, found.rows]);
      }
      const space = await server!.services.database.query(
        'select to_jsonb(t) as row from space t where space_id = $1',
        [other],
      );
      return [...rows, space.rows];
    }

    beforeAll(async () => {
      if (!server) return;
      callApi = createApiCall(
        transportForAllCalls(server.transportAs('privileged'), () => server!.signedIn('privileged')),
      );
      const { database, clock } = server.services;
      const now = isoTime(clock.now());
      await database.query(
        `insert into space (space_id, display_name, host, created_at, updated_at)
         values ($1, $2, 'other.example', $3, $3)`,
        [other, secret, now],
      );
      // Rows of the `resource` table: resources that users create and that no example plants in other tables.
      for (const resource of resources.filter((one) => one.verbs.includes('create') && ids[one.id])) {
        const hidden =
          resource.name === 'receive-slot' ? { primaryToken: token, secondaryToken: 'p'.repeat(43) } : {};
        const given = { ...inputs[resource.name]?.(secret, ids), ...hidden };
        const parent = resource.parent
          ? ids[resources.find((one) => one.name === resource.parent)!.id]
          : null;
        await database.query(
          `insert into resource (space_id, kind, id, parent_id, unique_key, body, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7)`,
          [
            other,
            resource.name,
            ids[resource.id],
            parent,
            JSON.stringify([secret]),
            JSON.stringify(given),
            now,
          ],
        );
      }
      const foreign: ForeignSpace = { spaceId: other, ids, secret, now };
      for (const example of appFixtures) await example.plantRows?.(database, foreign);
      before = await snapshot();
    });

    test('is never read or changed by any call, not even by a privileged person', async () => {
      const place = { ...ids, name: 'default', key: 'default' };
      for (const call of listResourceCalls(place, { label: 'foreign' })) {
        const { resource, kind } = call;
        const reply = await callApi(call.method, call.path, call.body);
        const label = `${kind} ${resource.name}: ${reply.text}`;
        // Lists return the caller's own space, and creates succeed when they reference nothing of the other
        // space.
        const names = () => referencesIn(resource, (call.body ?? {}) as Record<string, unknown>).length > 0;
        const onCollection =
          call.name !== undefined &&
          resource.name !== 'chain' &&
          resource.calls[call.name]!.on === 'collection';
        const own =
          (resource.singleton && !resource.path.includes('{')) ||
          (!resource.parent && (kind === 'list' || onCollection || (kind === 'create' && !names())));
        expect(reply.text, label).not.toContain(secret);
        // Calls are sent with an empty body, which some reject.
        const given = kind === 'calls' && call.body !== undefined ? [400] : [];
        if (own) expect([200, 201, ...given], label).toContain(reply.status);
        else expect([400, 404], label).toContain(reply.status);
      }
      expect(await snapshot()).toEqual(before);
    });

    test('is not found by filters and ids in the query', async () => {
      for (const resource of resources.filter(
        (one) => one.verbs.includes('list') && !one.parent && ids[one.id],
      )) {
        const filter = `${resource.id} eq "${ids[resource.id]}"`;
        const reply = await callApi('GET', `${resource.path}?${new URLSearchParams({ filter })}`);
        expect(reply.data, resource.name).toMatchObject({ items: [], total: 0 });
      }
    });

    test('has receivers that are not known here', async () => {
      const reply = await post(`${server!.origin}/receive/webhook/${token}`, `{"title":"${secret}"}`);
      expect(reply.status).toBe(404);
    });
  });
});
