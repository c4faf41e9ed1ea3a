// Creates with an Idempotency-Key in every outcome: completed, rejected, in progress, interrupted, expired.
import type { ProblemBody } from '@yagura/core/http/problem';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const scopes = '/api/apps/alerthub/scopes';
const second = 1000;
const hour = 3600 * second;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let keys = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const newKey = () => `key ${++keys}`;
  const create = (key: string, displayName: string, by = callApi, path = scopes) =>
    by('POST', path, { displayName }, { headers: { 'idempotency-key': key } });
  const countOf = async (displayName: string) => {
    const filter = encodeURIComponent(`displayName eq "${displayName}"`);
    return ((await callApi('GET', `${scopes}?filter=${filter}`)).data as { total: number }).total;
  };
  const detailOf = (reply: { data: unknown }) => (reply.data as ProblemBody).detail;
  /** Resets a key to the state in which its first request is in progress. */
  const setUnderWay = (key: string) =>
    server!.services.database.query(`update idempotency set status = 0, reply = '{}' where key = $1`, [key]);

  test('the same key with another body, or at another path, is refused and makes nothing', async () => {
    const key = newKey();
    expect((await create(key, 'first')).status).toBe(201);
    for (const reply of [
      await create(key, 'second'),
      await create(key, 'first', callApi, '/api/apps/alerthub/receive-slots'),
    ]) {
      expect(reply.status).toBe(409);
      expect(detailOf(reply)).toBe('this Idempotency-Key was used with another request');
    }
    expect(await countOf('second')).toBe(0);
  });

  test('the key of one caller means nothing to another, nor to another token of the same person', async () => {
    const key = newKey();
    const others = [
      createApiCall(server!.transportAs(['alerthub:administrator'])),
      createApiCall(await server!.signedIn(['alerthub:administrator'])),
      createApiCall(server!.transportAs(['alerthub:administrator', 'sonar:viewer'])),
    ];
    const made = await create(key, 'of the first');
    expect(made.status).toBe(201);
    for (const [at, other] of others.entries()) {
      const reply = await create(key, `of another ${at}`, other);
      expect(reply).toMatchObject({ status: 201, data: { displayName: `of another ${at}` } });
    }
    expect((await create(key, 'of the first')).data).toEqual(made.data);
  });

  test('a token that is shown once is not kept for a repeat', async () => {
    const key = newKey();
    const path = '/api/space/api-tokens';
    const made = await create(key, 'shown once', callApi, path);
    const { token, ...rest } = made.data as { token: string };
    expect(token).toMatch(/^ygr_/);
    const again = await create(key, 'shown once', callApi, path);
    expect(again).toMatchObject({ status: 201 });
    expect(again.data).toEqual(rest);
    const { rows } = await server!.services.database.query<{ kept: string }>(
      'select to_jsonb(i)::text as kept from idempotency i where key = $1',
      [key],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.kept).not.toContain(token);
  });

  test('a create that was refused leaves its key free, for the same body and for another', async () => {
    const key = newKey();
    await create(newKey(), 'taken');
    expect((await create(key, 'taken')).status).toBe(409);
    const { rows } = await server!.services.database.query('select 1 from idempotency where key = $1', [key]);
    expect(rows).toEqual([]);
    expect((await create(key, 'free')).status).toBe(201);
    expect(await countOf('free')).toBe(1);
  });

  test('a create that was refused frees the key of its caller only', async () => {
    const key = newKey();
    const made = await create(key, 'of the owner');
    await create(newKey(), 'name in use');
    const other = createApiCall(server!.transportAs(['alerthub:administrator']));
    expect((await create(key, 'name in use', other)).status).toBe(409);
    expect((await create(key, 'of the owner')).data).toEqual(made.data);
  });

  test('a create that the store broke off leaves its key free', async () => {
    const key = newKey();
    const { database } = server!.services;
    await database.query('alter table resource rename to resource_away');
    const failed = await create(key, 'broken off');
    await database.query('alter table resource_away rename to resource');
    expect(failed.status).toBe(500);
    expect((await create(key, 'broken off')).status).toBe(201);
    expect(await countOf('broken off')).toBe(1);
  });

  test('while the first request is under way a repeat is refused, and it takes its place after a minute', async () => {
    const key = newKey();
    expect((await create(key, 'cut off')).status).toBe(201);
    const { data } = await callApi(
      'GET',
      `${scopes}?filter=${encodeURIComponent('displayName eq "cut off"')}`,
    );
    const [{ scopeId }] = (data as { items: { scopeId: string }[] }).items as [{ scopeId: string }];
    expect((await callApi('DELETE', `${scopes}/${scopeId}`)).status).toBe(200);
    await setUnderWay(key);
    clock.advance(60 * second);
    const early = await create(key, 'cut off');
    expect(early.status).toBe(409);
    expect(detailOf(early)).toBe('the first request with this Idempotency-Key is in progress');
    clock.advance(1);
    // A different request cannot take over the key of an interrupted one.
    expect(detailOf(await create(key, 'another'))).toBe('this Idempotency-Key was used with another request');
    expect((await create(key, 'cut off')).status).toBe(201);
    expect(await countOf('cut off')).toBe(1);
    expect(await countOf('another')).toBe(0);
  });

  test('a request that was cut off while the clock was ahead does not hold its key once the clock is right', async () => {
    const key = newKey();
    const ahead = 24 * hour * 40;
    clock.jump(ahead);
    const { data } = await create(key, 'cut off ahead');
    const { scopeId } = data as { scopeId: string };
    expect((await callApi('DELETE', `${scopes}/${scopeId}`)).status).toBe(200);
    await setUnderWay(key);
    clock.jump(-ahead);
    expect((await create(key, 'cut off ahead')).status).toBe(201);
    expect(await countOf('cut off ahead')).toBe(1);
  });

  test('a first request that goes on after another took its place makes nothing', async () => {
    const key = newKey();
    const path = '/api/space/user-groups';
    const { database } = server!.services;
    const { query } = database;
    let resume = () => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    // Only the claim of this key waits: the server's own jobs use the same database meanwhile.
    let claims = 0;
    const spy = vi.spyOn(database, 'query').mockImplementation(async (statement, values) => {
      const result = await query.call(database, statement, values);
      const text = typeof statement === 'string' ? statement : statement.text;
      const isClaim = text.startsWith('insert into idempotency') && values?.includes(key);
      if (isClaim && ++claims === 1) await resumed;
      return result as never;
    });
    onTestFinished(() => {
      resume();
      spy.mockRestore();
    });
    const slow = create(key, 'slow', callApi, path);
    await vi.waitFor(() => expect(claims).toBe(1));
    clock.advance(60 * second + 1);
    const made = await create(key, 'slow', callApi, path);
    expect(made.status).toBe(201);
    await callApi('DELETE', `${path}/${(made.data as { userGroupId: string }).userGroupId}`);
    resume();
    expect(detailOf(await slow)).toBe('another request has taken over this Idempotency-Key');
    const groups = (await callApi('GET', path)).data as { items: { displayName: string }[] };
    expect(groups.items.map(({ displayName }) => displayName)).not.toContain('slow');
    expect((await create(key, 'slow', callApi, path)).data).toEqual(made.data);
  });

  test('of requests at the same time with one key, one makes the item', async () => {
    const key = newKey();
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(key, 'at once')));
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    for (const reply of replies) {
      if (reply.status === 201) expect(reply.data).toMatchObject({ displayName: 'at once' });
      else expect(detailOf(reply)).toBe('the first request with this Idempotency-Key is in progress');
    }
    expect(await countOf('at once')).toBe(1);
  });

  test('a key is remembered for a day', async () => {
    const key = newKey();
    const made = await create(key, 'lasting');
    clock.sleep(24 * hour);
    expect((await create(key, 'lasting')).data).toEqual(made.data);
    clock.advance(1);
    const after = await create(key, 'lasting');
    expect(after).toMatchObject({ status: 409, data: { invalidParams: [{ name: 'displayName' }] } });
    const { rows } = await server!.services.database.query(
      'select 1 from idempotency where created_at < $1',
      [isoTime(clock.now() - 24 * hour)],
    );
    expect(rows).toEqual([]);
  });

  test('a key of 255 characters is taken and a longer one refused', async () => {
    expect((await create('k'.repeat(255), 'with a long key')).status).toBe(201);
    const refused = await create('k'.repeat(256), 'with a longer key');
    expect(refused).toMatchObject({ status: 400 });
    expect(detailOf(refused)).toContain('255');
    expect(await countOf('with a longer key')).toBe(0);
  });
});
