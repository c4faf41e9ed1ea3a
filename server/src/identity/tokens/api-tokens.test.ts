import { Problem } from '@yagura/core/http/problem';
import { ja } from '@yagura/core/i18n/ja/all';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { isoTime } from '../../common/clock.ts';
import type { Principal } from '../principal.ts';

let server: IdentityServer;
let admin: Principal;
let viewer: Principal;
beforeAll(async () => {
  server = (await startIdentityServer())!;
  const { identity } = server;
  await identity.createUser({
    email: 'admin@example.com',
    displayName: 'Admin',
    privileged: true,
    password,
  });
  await identity.createUser({
    email: 'viewer@example.com',
    displayName: 'Viewer',
    roles: ['alerthub:administrator', 'sonar:viewer'],
    password,
  });
  const signedIn = await signIn(server, 'admin@example.com');
  admin = await identity.authenticate(signedIn.bearer);
  viewer = await identity.authenticate((await signIn(server, 'viewer@example.com')).bearer);
}, 60_000);
afterAll(() => server.close());

let names = 0;
const make = (
  principal: Principal,
  options: { roles?: string[]; expiresAt?: string; language?: 'ja' } = {},
) =>
  server.identity.createApiToken({
    principal,
    displayName: `token ${++names}`,
    roles: options.roles ?? null,
    expiresAt: options.expiresAt ?? null,
    ...(options.language && { language: options.language }),
  });
const using = (token: string) => server.identity.authenticate({ 'x-authorization': `Token ${token}` });
const refused = expect.objectContaining({ kind: 'sign-in-required', status: 401 });

describe('an API token', () => {
  test('has each of its roles once', async () => {
    const { row } = await make(admin, { roles: ['sonar:viewer', 'alerthub:viewer', 'sonar:viewer'] });
    expect(row.roles).toEqual(['sonar:viewer', 'alerthub:viewer']);
  });

  test('calls as its owner, by either header, and is stored only as a hash', async () => {
    const { row, token } = await make(admin);
    expect(token).toMatch(/^ygr_[\w-]{43}$/);
    expect(row).toMatchObject({ roles: null, expiresAt: null, lastUsedAt: null });
    const expected = {
      kind: 'api-token',
      userId: admin.userId,
      spaceId: server.spaceId,
      apiTokenId: row.apiTokenId,
      apiTokenName: row.displayName,
      claims: { privileged: true },
      narrowed: false,
    };
    expect(await using(token)).toMatchObject(expected);
    expect(await server.identity.authenticate({ authorization: `Bearer ${token}` })).toMatchObject(expected);
    const { rows } = await server.database.query<{ text: string }>('select t::text as text from api_token t');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  test.each([
    ['privileged owners give any role', 'admin', ['sonar:administrator'], ['sonar:administrator']],
    ['owners give roles they hold', 'viewer', ['sonar:viewer'], ['sonar:viewer']],
    ['owners give roles that theirs include', 'viewer', ['alerthub:viewer'], ['alerthub:viewer']],
  ])('narrowed: %s, and it is never privileged', async (_name, owner, roles, expected) => {
    const { token } = await make(owner === 'admin' ? admin : viewer, { roles });
    expect(await using(token)).toMatchObject({
      claims: { privileged: false, roles: expected },
      narrowed: true,
    });
  });

  test('narrowed keeps only what its owner still may do', async () => {
    const person = await server.identity.createUser({
      email: 'changing@example.com',
      displayName: 'Changing',
      roles: ['sonar:administrator', 'greac:auditor'],
      password,
    });
    const owner = await server.identity.authenticate((await signIn(server, 'changing@example.com')).bearer);
    const { token } = await make(owner, { roles: ['sonar:viewer', 'greac:auditor'] });
    expect((await using(token)).claims.roles).toEqual(['sonar:viewer', 'greac:auditor']);
    await server.identity.updateUser(person.userId, { roles: ['greac:auditor'] });
    expect((await using(token)).claims.roles).toEqual(['greac:auditor']);
  });

  test.each([
    ['a role beyond its owner', { roles: ['sonar:administrator'] }, ['roles']],
    ['an empty list of roles', { roles: [] }, ['roles']],
    ['a role that is none', { roles: ['king'] }, ['roles.0']],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    ['an expiry that is no time', { expiresAt: 'soon' }, ['expiresAt']],
  ])('is not made with %s', async (_name, options, fields) => {
    const making = make(viewer, options);
    await expect(making).rejects.toThrow(Problem);
    await making.catch((problem: Problem) =>
      expect(problem.invalidParams.map(({ name }) => name)).toEqual(fields),
    );
  });

  test('is not made by a narrowed one, nor twice under a name', async () => {
    const narrowed = await using((await make(admin, { roles: ['sonar:viewer'] })).token);
    await expect(make(narrowed)).rejects.toThrow(expect.objectContaining({ kind: 'forbidden' }));
    const twice = { principal: admin, displayName: 'same name', roles: null, expiresAt: null };
    await server.identity.createApiToken(twice);
    await expect(server.identity.createApiToken(twice)).rejects.toThrow(
      expect.objectContaining({ constraint: 'api_token_name' }),
    );
  });

  test('is refused in the language of the caller', async () => {
    const narrowed = await using((await make(admin, { roles: ['sonar:viewer'] })).token);
    await expect(make(narrowed, { language: 'ja' })).rejects.toMatchObject({
      detail: ja['users.narrowed-token'],
    });
    await expect(make(admin, { expiresAt: '2020-01-01T00:00:00Z', language: 'ja' })).rejects.toMatchObject({
      invalidParams: [{ name: 'expiresAt', reason: ja['rule.future'] }],
    });
  });

  test('is refused from the moment it expires', async () => {
    const { token } = await make(admin, { expiresAt: isoTime(server.clock.now() + 60_000) });
    expect((await using(token)).userId).toBe(admin.userId);
    server.clock.advance(59_999);
    expect((await using(token)).userId).toBe(admin.userId);
    server.clock.advance(1);
    await expect(using(token)).rejects.toThrow(refused);
  });

  test('that has expired is told as such to whoever holds all of it, and any other is not', async () => {
    const expiresAt = isoTime(server.clock.now() + 60_000);
    const { token } = await make(admin, { expiresAt });
    server.clock.advance(60_000);
    await expect(using(token)).rejects.toMatchObject({
      kind: 'sign-in-required',
      detail: `the API token expired at ${expiresAt}`,
      text: { word: 'refusal.token-expired' },
    });
    await expect(using(token.slice(0, -1))).rejects.toMatchObject({ detail: undefined });
  });

  test('is refused once it is removed, here at once and in another replica within five seconds', async () => {
    const replica = await server.startAnother();
    const { row, token } = await make(admin);
    await using(token);
    await replica.authenticate({ 'x-authorization': `Token ${token}` });
    expect(await server.identity.removeApiToken(row.apiTokenId)).toBe(true);
    expect(await server.identity.removeApiToken(row.apiTokenId)).toBe(false);
    await expect(using(token)).rejects.toThrow(refused);
    server.clock.advance(5_000);
    await expect(replica.authenticate({ 'x-authorization': `Token ${token}` })).rejects.toThrow(refused);
    await replica.close();
  });

  test('notes its use, at most once a minute', async () => {
    const { row, token } = await make(admin);
    const lastUsed = async () => {
      const { rows } = await server.database.query<{ at: string | null }>(
        'select last_used_at as at from api_token where api_token_id = $1',
        [row.apiTokenId],
      );
      return rows[0]!.at;
    };
    const first = isoTime(server.clock.now());
    await using(token);
    await expect.poll(lastUsed).toBe(first);
    server.clock.advance(59_000);
    await using(token);
    expect(await lastUsed()).toBe(first);
    server.clock.advance(1_000);
    await using(token);
    await expect.poll(lastUsed).toBe(isoTime(server.clock.now()));
  });

  test('for the bootstrap is registered once and follows its value', async () => {
    const [one, two] = ['bootstrap-value-one-0123456789abcdef', 'bootstrap-value-two-0123456789abcdef'];
    server.auditEntries.length = 0;
    for (const value of [one, one]) await server.identity.ensureBootstrapToken(value);
    // Remembered, and forgotten with the change.
    await using(one);
    await server.identity.ensureBootstrapToken(two);
    expect(await using(two)).toMatchObject({ claims: { privileged: true }, userId: admin.userId });
    await expect(using(one)).rejects.toThrow(refused);
    await expect(server.identity.ensureBootstrapToken('short')).rejects.toThrow('32 characters');
    const by = { actor: { kind: 'server', name: 'yagura-server' }, resource: 'api-token' };
    expect(server.auditEntries).toMatchObject([
      { ...by, action: 'create', after: { displayName: 'bootstrap' } },
      { ...by, action: 'edit' },
    ]);
  });

  test('for the bootstrap leaves a token of a user alone that has its name', async () => {
    const values = ['bootstrap-value-one-0123456789abcdef', 'bootstrap-value-two-0123456789abcdef'];
    await server.database.query('delete from api_token');
    const own = await server.identity.createApiToken({
      principal: admin,
      displayName: 'bootstrap',
      roles: ['alerthub:administrator'],
      expiresAt: null,
    });
    for (const value of values) await server.identity.ensureBootstrapToken(value);
    expect(await using(own.token)).toMatchObject({ narrowed: true });
    expect(await using(values[1]!)).toMatchObject({ narrowed: false });
    await expect(using(values[0]!)).rejects.toThrow(refused);
    const { rows } = await server.database.query<{ name: string }>(
      'select display_name as name from api_token order by 1',
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'bootstrap',
      expect.stringMatching(/^bootstrap [0-9a-f]{8}$/),
    ]);
  });
});
