import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import type { AdapterPayload } from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { isoTime } from '../../common/clock.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createAttemptLimit } from '../sign-in/attempt-limit.ts';
import { createPollLimit } from './device-flow.ts';
import { payloadAdapter, sweepPayloads } from './payload-adapter.ts';
import { createUserInfo } from './user-info.ts';

let spaces: TwoSpaces;
beforeAll(async () => {
  spaces = await openTwoSpaces();
}, 60_000);
afterAll(() => spaces.close());

describe('what the provider stores', () => {
  beforeEach(() => spaces.database.query('delete from oidc_payload'));
  const errors = { usedTwice: () => new Error('used twice'), ended: () => new Error('ended') };
  const adapterOf = (model: string, context: IdentityContext = spaces.here) =>
    payloadAdapter(context, model, errors);
  const [hana, ken] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
  const rows = async () =>
    (
      await spaces.database.query<{ id: string; text: string; grant: string | null; expires: string | null }>(
        'select id, payload::text as text, grant_id as "grant", expires_at as expires from oidc_payload order by 1',
      )
    ).rows;
  const payload = { jti: 'secret', accountId: hana, grantId: 'grant' } as AdapterPayload;

  test('is found by its model and id in its space', async () => {
    const sessions = adapterOf('Session');
    await sessions.upsert('one', { ...payload, jti: 'one', uid: 'u1' }, 60);
    await adapterOf('Interaction').upsert('one', { jti: 'one', uid: 'i1' }, 60);
    await adapterOf('Session', spaces.elsewhere).upsert('one', { jti: 'one', accountId: ken, uid: 'u1' }, 60);
    expect(await sessions.find('one')).toEqual({ ...payload, jti: 'one', uid: 'u1' });
    expect(await sessions.find('two')).toBeUndefined();
    expect(await sessions.findByUid('u1')).toMatchObject({ accountId: hana });
    expect(await sessions.findByUid('i1')).toBeUndefined();
    expect(await sessions.findByUserCode('u1')).toBeUndefined();
    expect((await rows()).map(({ expires }) => expires)).toEqual(
      Array.from({ length: 3 }, () => isoTime(spaces.clock.now() + 60_000)),
    );
    await sessions.upsert('one', { jti: 'one', uid: 'u2' }, undefined as never);
    expect(await sessions.findByUid('u1')).toBeUndefined();
    expect(await sessions.findByUid('u2')).toEqual({ jti: 'one', uid: 'u2' });
    expect((await rows()).filter(({ expires }) => expires === null)).toHaveLength(1);
    await sessions.destroy('one');
    expect(await sessions.find('one')).toBeUndefined();
    expect(await adapterOf('Interaction').find('one')).toBeDefined();
    expect(await adapterOf('Session', spaces.elsewhere).find('one')).toMatchObject({ accountId: ken });
  });

  test.each([
    ['AuthorizationCode', true],
    ['RefreshToken', true],
    ['DeviceCode', true],
    ['Session', false],
    ['Grant', false],
    ['Interaction', false],
  ])('as %s is in the store as a hash, with the grant that ends it: %s', async (model, isSecret) => {
    await adapterOf(model).upsert('secret', payload, 60);
    const [row] = await rows();
    expect(row!.id === 'secret').toBe(!isSecret);
    expect(row!.text.includes('secret')).toBe(!isSecret);
    expect(row!.grant).toBe(isSecret ? 'grant' : null);
    expect(await adapterOf(model).find('secret')).toEqual(payload);
  });

  test('names no device code, which only the server can open', async () => {
    const codes = adapterOf('DeviceCode');
    await codes.upsert('secret', { jti: 'secret', userCode: 'BBBB' } as AdapterPayload, 60);
    await adapterOf('Interaction').upsert('i', { jti: 'i', deviceCode: 'secret' } as AdapterPayload, 60);
    for (const { text } of await rows()) expect(text).not.toContain('secret');
    expect(await codes.findByUserCode('BBBB')).toEqual({ jti: 'secret', userCode: 'BBBB' });
    expect(await codes.findByUid('BBBB')).toBeUndefined();
    expect(await adapterOf('DeviceCode', spaces.elsewhere).findByUserCode('BBBB')).toBeUndefined();
    expect(await adapterOf('Interaction').find('i')).toEqual({ jti: 'i', deviceCode: 'secret' });
  });

  test('is used once, and says when', async () => {
    const tokens = adapterOf('RefreshToken');
    const others = adapterOf('RefreshToken', spaces.elsewhere);
    const codes = adapterOf('AuthorizationCode');
    for (const adapter of [tokens, others, codes]) await adapter.upsert('secret', payload, 60);
    await tokens.upsert('other', { ...payload, jti: 'other' }, 60);
    expect(await tokens.find('secret')).not.toHaveProperty('consumed');
    await tokens.consume('secret');
    expect(await tokens.find('secret')).toEqual({
      ...payload,
      consumed: Math.floor(spaces.clock.now() / 1000),
    });
    await expect(tokens.consume('secret')).rejects.toThrow('used twice');
    await expect(tokens.consume('unknown')).rejects.toThrow('used twice');
    for (const adapter of [others, codes])
      expect(await adapter.find('secret')).not.toHaveProperty('consumed');
    expect(await tokens.find('other')).not.toHaveProperty('consumed');
  });

  test('is used again by the client that may, until its time is over', async () => {
    const reuseInterval = { clientId: 'console', ms: 1_000 };
    const tokens = payloadAdapter(spaces.here, 'RefreshToken', { ...errors, reuseInterval });
    await tokens.upsert('own', { ...payload, clientId: 'console' }, 60);
    await tokens.upsert('other', { ...payload, clientId: 'other' }, 60);
    const firstUse = Math.floor(spaces.clock.now() / 1000);
    for (const id of ['own', 'other']) await tokens.consume(id);
    await expect(tokens.consume('other')).rejects.toThrow('used twice');
    spaces.clock.advance(999);
    expect(await tokens.find('own')).not.toHaveProperty('consumed');
    await tokens.consume('own');
    spaces.clock.advance(1);
    for (const id of ['own', 'other']) {
      expect(await tokens.find(id)).toHaveProperty('consumed', firstUse);
      await expect(tokens.consume(id)).rejects.toThrow('used twice');
    }
  });

  test('ends with its grant, in its space', async () => {
    const tokens = adapterOf('RefreshToken');
    const others = adapterOf('RefreshToken', spaces.elsewhere);
    await tokens.upsert('secret', payload, 60);
    await others.upsert('secret', payload, 60);
    await tokens.upsert('other', { ...payload, grantId: 'another' }, 60);
    await adapterOf('Interaction').upsert('i', { ...payload, jti: 'i' }, 60);
    await tokens.revokeByGrantId('grant');
    expect(await tokens.find('secret')).toBeUndefined();
    expect(await others.find('secret')).toBeDefined();
    expect(await tokens.find('other')).toBeDefined();
    expect(await adapterOf('Interaction').find('i')).toBeDefined();
  });

  test('makes this process forget credentials when a grant is destroyed', async () => {
    const before = spaces.cleared();
    await adapterOf('Session').destroy('one');
    expect(spaces.cleared()).toBe(before);
    await adapterOf('Grant').destroy('one');
    expect(spaces.cleared()).toBe(before + 1);
  });

  test('is deleted once it has expired, however much it is, in its space', async () => {
    await adapterOf('Session').upsert('now', { jti: 'now' }, 60);
    await adapterOf('Session').upsert('never', { jti: 'never' }, undefined as never);
    await spaces.database.query(
      `insert into oidc_payload (space_id, model, id, payload, expires_at)
       select $1, 'Session', 'old ' || n, '{}', $2 from generate_series(1, 2001) n`,
      [spaces.here.spaceId, isoTime(spaces.clock.now() + 59_999)],
    );
    await adapterOf('Session', spaces.elsewhere).upsert('foreign', { jti: 'foreign' }, 1);
    spaces.clock.advance(60_000);
    await sweepPayloads(spaces.here);
    expect((await rows()).map(({ id }) => id)).toEqual(['foreign', 'never', 'now']);
    spaces.clock.advance(1);
    await sweepPayloads(spaces.here);
    expect((await rows()).map(({ id }) => id)).toEqual(['foreign', 'never']);
  });
});

test('a device may ask again after four and a half seconds, and the ones that asked longest ago are forgotten', () => {
  let time = 0;
  class SlowDown extends Error {}
  const polls = createPollLimit(() => time, SlowDown as never);
  polls.check('one');
  time = 4_499;
  expect(() => polls.check('one')).toThrow(SlowDown);
  expect(() => polls.check('two')).not.toThrow();
  time = 8_998;
  expect(() => polls.check('one')).toThrow(SlowDown);
  time = 13_498;
  expect(() => polls.check('one')).not.toThrow();
  for (let at = 0; at < 9_998; at++) polls.check(`device ${at}`);
  // Ten thousand codes are known now, of which "two" was seen first.
  expect(() => polls.check('one')).toThrow(SlowDown);
  time += 1;
  polls.check('new');
  polls.check('newer');
  expect(() => polls.check('two')).not.toThrow();
  expect(() => polls.check('device 9997')).toThrow(SlowDown);
  expect(() => polls.check('device 0')).not.toThrow();
});

describe('the userinfo endpoint', () => {
  async function ask(
    authenticate: () => Promise<never>,
    req: { method?: string; headers?: Record<string, string> } = {},
  ) {
    const answer = { status: 0, headers: {} as Record<string, string>, body: '' };
    const res = {
      writeHead(status: number, headers: Record<string, string>) {
        Object.assign(answer, { status, headers });
      },
      end(body: string) {
        answer.body = body;
      },
    };
    await createUserInfo(spaces.here, authenticate)(
      { method: 'GET', headers: { authorization: 'Bearer x' }, ...req } as unknown as IncomingMessage,
      res as unknown as ServerResponse,
    );
    return answer;
  }

  test.each([
    ['is away', () => new StoreUnavailable('gone'), 503, '2', 'temporarily_unavailable', 0],
    ['has too much to do', () => new Problem('unavailable'), 503, '2', 'temporarily_unavailable', 0],
    ['has a fault', () => new Error('gone'), 500, undefined, 'server_error', 1],
    ['has an unexpected problem', () => new Problem('conflict'), 500, undefined, 'server_error', 1],
  ])(
    'of a server that %s says so, and logs only faults',
    async (_name, error, status, retry, code, lines) => {
      spaces.logLines.length = 0;
      const answer = await ask(() => Promise.reject(error()));
      expect(answer).toMatchObject({ status, body: JSON.stringify({ error: code }) });
      expect(answer.headers['retry-after']).toBe(retry);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(spaces.logLines).toHaveLength(lines);
    },
  );

  test('asks for no caller without a credential or with another method', async () => {
    const authenticate = vi.fn(() => Promise.reject(new Problem('sign-in-required')));
    expect(await ask(authenticate, { headers: {} })).toMatchObject({ status: 401 });
    expect(await ask(authenticate, { method: 'PUT' })).toMatchObject({ status: 405 });
    expect(authenticate).not.toHaveBeenCalled();
    expect(await ask(authenticate)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="yagura", error="invalid_token"' },
    });
  });
});

describe('failed attempts', () => {
  beforeEach(() => spaces.database.query('delete from signin_budget'));
  const counted = () =>
    spaces.column(
      `select kind || case when space_id = $1 then '' else ' elsewhere' end from signin_budget order by 1`,
      [spaces.here.spaceId],
    );

  test('are cleared and swept in their space, for the account and purpose that are named', async () => {
    const limit = createAttemptLimit(spaces.here);
    const others = createAttemptLimit(spaces.elsewhere);
    const subject = { purpose: 'password', account: 'hana@example.com', address: '192.0.2.1' } as const;
    await limit.begin(subject);
    await limit.begin({ ...subject, account: 'ken@example.com' });
    await limit.begin({ ...subject, purpose: 'reset-mail' });
    await others.begin(subject);
    const foreign = ['address elsewhere', 'password account elsewhere', 'password pair elsewhere'];
    const ofKen = ['password account', 'password pair'];
    const mail = ['reset-mail account', 'reset-mail address'];
    const all = ['address', ...foreign, ...ofKen, ...ofKen, ...mail].sort();
    expect((await counted()).sort()).toEqual(all);
    await limit.clear(spaces.database, 'password', ' Hana@example.com');
    expect((await counted()).sort()).toEqual(['address', ...foreign, ...ofKen, ...mail].sort());
    const [end] = await spaces.column(
      `select extract(epoch from max(empty_at)) * 1000 from signin_budget where space_id = $1`,
      [spaces.here.spaceId],
    );
    spaces.clock.advance(Number(end) - spaces.clock.now());
    await limit.sweep();
    expect(await counted()).toContain('reset-mail account');
    spaces.clock.advance(1);
    await limit.sweep();
    expect((await counted()).sort()).toEqual(foreign);
  });

  test('stay while somebody has to wait for them, although they are forgotten by then', async () => {
    const limit = createAttemptLimit(spaces.here);
    const subject = { purpose: 'device-code', address: '192.0.2.1' } as const;
    await limit.begin(subject);
    const set = (emptyAt: number, waitUntil: number) =>
      spaces.database.query('update signin_budget set empty_at = $1, wait_until = $2', [
        isoTime(spaces.clock.now() + emptyAt),
        isoTime(spaces.clock.now() + waitUntil),
      ]);
    await set(-1, 0);
    await limit.sweep();
    expect(await counted()).toEqual(['device-code address']);
    expect((await limit.begin(subject)).wait).toBe(0);
    await set(-1, 1);
    expect((await limit.begin(subject)).wait).toBe(1);
    await set(-1, -1);
    await limit.sweep();
    expect(await counted()).toEqual([]);
  });

  test('of others at the address are not taken back by a success, nor those of other spaces', async () => {
    const limit = createAttemptLimit(spaces.here);
    const others = createAttemptLimit(spaces.elsewhere);
    const subject = { purpose: 'password', account: 'hana@example.com', address: '192.0.2.1' } as const;
    const emptyAt = () =>
      spaces.column(
        `select kind || ' ' || (extract(epoch from empty_at) * 1000 - $2)::bigint from signin_budget
         where space_id = $1 order by kind`,
        [spaces.here.spaceId, spaces.clock.now()],
      );
    await limit.begin({ ...subject, account: 'ken@example.com' });
    const before = await emptyAt();
    const attempt = await limit.begin(subject);
    await others.begin(subject);
    await attempt.succeeded();
    expect((await emptyAt()).sort()).toEqual([...before, 'password account 0'].sort());
    expect(
      await spaces.column('select kind from signin_budget where space_id = $1', [spaces.elsewhere.spaceId]),
    ).toHaveLength(3);
  });
});
