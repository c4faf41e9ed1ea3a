import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { isoTime } from '../../common/clock.ts';
import type { Principal } from '../principal.ts';
import { type ApiTokenInput, type ApiTokens, createApiTokens } from './api-tokens.ts';
import { createEmbeddedIssuer } from './embedded-issuer.ts';
import { keyTimes, loadSigningKeys, type SigningKeys } from './signing-keys.ts';
import { InvalidToken } from './token-issuer.ts';

const day = 86_400_000;
let spaces: TwoSpaces;
beforeAll(async () => {
  spaces = await openTwoSpaces();
}, 60_000);
afterAll(() => spaces.close());

describe('the signing keys of a space', () => {
  const rowsOf = (spaceId: string) =>
    spaces.column(
      `select public_jwk->>'alg' || ' ' || (retired_at is not null) from oidc_key where space_id = $1
       order by created_at, 1`,
      [spaceId],
    );
  const kidOf = (keys: SigningKeys, algorithm: string) =>
    keys.current().find(({ alg }) => alg === algorithm)!.kid!;

  test('are made once, published before they sign, replaced on their day and deleted in the end, in that space alone', async () => {
    const { here, elsewhere, clock, database } = spaces;
    await database.query(
      `insert into oidc_key (kid, space_id, public_jwk, private_jwk, created_at)
       values ('foreign', $1, '{"alg":"ES256"}', '\\x00', $2)`,
      [elsewhere.spaceId, isoTime(clock.now() - day)],
    );
    const keys = await loadSigningKeys(here);
    const algorithms = () => keys.current().map(({ alg }) => alg);
    await keys.refresh();
    expect(algorithms()).toEqual(['ES256']);
    await keys.prepareIdTokens();
    expect(algorithms().sort()).toEqual(['ES256', 'RS256']);
    for (const { kid } of keys.current()) expect(kid).toMatch(/^[\w-]{16}$/);
    expect(spaces.logLines).toEqual([]);
    const before = keys.current();
    await keys.refresh();
    expect(keys.current()).toBe(before);
    const [first, firstForIdTokens] = [kidOf(keys, 'ES256'), kidOf(keys, 'RS256')];
    expect(await keys.verifier(first)).not.toBeNull();
    // ID tokens are verified by clients, by the published keys.
    expect(await keys.verifier(firstForIdTokens)).toBeNull();

    clock.advance(90 * day - 1);
    const replica = await loadSigningKeys(here);
    expect(replica.current()).toEqual(before);
    clock.advance(1);
    await keys.refresh();
    expect(await rowsOf(here.spaceId)).toEqual(['ES256 true', 'RS256 true', 'ES256 false', 'RS256 false']);
    expect(await rowsOf(elsewhere.spaceId)).toEqual(['ES256 false']);

    // The replica looks for an unknown key in the store, at most every five seconds.
    const fresh = keys.current().find(({ alg, kid }) => alg === 'ES256' && kid !== first)!.kid!;
    clock.advance(4_998);
    expect(await replica.verifier(fresh)).toBeNull();
    expect(await replica.verifier(first)).not.toBeNull();
    clock.advance(1);
    expect(await replica.verifier(first)).not.toBeNull();
    expect(await replica.verifier('unknown')).toBeNull();
    expect(await replica.verifier(fresh)).not.toBeNull();

    clock.advance(keyTimes.publishedBefore - 5_000);
    await keys.refresh();
    expect([kidOf(keys, 'ES256'), kidOf(keys, 'RS256')]).toEqual([first, firstForIdTokens]);
    expect(keys.current()).toHaveLength(4);
    clock.advance(1);
    await keys.refresh();
    expect(kidOf(keys, 'ES256')).toBe(fresh);
    expect(kidOf(keys, 'RS256')).not.toBe(firstForIdTokens);
    expect(await keys.verifier(first)).not.toBeNull();

    await database.query('update oidc_key set retired_at = $1 where space_id = $2', [
      isoTime(clock.now()),
      elsewhere.spaceId,
    ]);
    clock.advance(30 * day);
    await keys.refresh();
    expect(keys.current()).toHaveLength(4);
    clock.advance(1);
    await keys.refresh();
    expect(keys.current()).toHaveLength(2);
    expect(await rowsOf(elsewhere.spaceId)).toEqual(['ES256 true']);
  });
});

describe('an access token', () => {
  let key: Awaited<ReturnType<typeof generateKeyPair>>;
  beforeAll(async () => {
    key = await generateKeyPair('ES256');
  });
  const issuer = () =>
    createEmbeddedIssuer(spaces.here, {
      current: () => [],
      refresh: async () => {},
      prepareIdTokens: async () => {},
      async verifier(kid) {
        if (kid === 'broken') throw new Error('The store is away');
        return kid === 'known' ? key.publicKey : null;
      },
    });
  const seconds = () => Math.floor(spaces.clock.now() / 1000);

  function sign(change: JWTPayload = {}, header: { kid?: string; typ?: string } = { kid: 'known' }) {
    const claims = {
      ...{ iss: 'https://here.example/oidc', aud: 'https://here.example/api', sub: 'one', jti: 'id' },
      ...{ iat: seconds(), exp: seconds() + 600, space: spaces.here.spaceId, epoch: 3, grant: 'grant' },
      ...change,
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  }

  test('tells its user, grant and epoch until five seconds after its time', async () => {
    const token = await sign();
    const expected = { subject: 'one', expiresAt: (seconds() + 600) * 1000, epoch: 3, grantId: 'grant' };
    expect(await issuer().verify(token)).toEqual(expected);
    spaces.clock.advance(604_000);
    expect(await issuer().verify(token)).toEqual(expected);
    spaces.clock.advance(1_000);
    await expect(issuer().verify(token)).rejects.toThrow(InvalidToken);
  });

  test.each<[string, JWTPayload, { kid?: string; typ?: string }?]>([
    ['no key id', {}, {}],
    ['an unknown key', {}, { kid: 'other' }],
    ['another type', {}, { kid: 'known', typ: 'JWT' }],
    ['another space', { space: 'other' }],
    ['no space', { space: undefined }],
    ['no epoch', { epoch: undefined }],
    ['an epoch that is no number', { epoch: '3' }],
    ['no grant', { grant: undefined }],
    ['a grant that is no text', { grant: 1 }],
    ['no subject', { sub: undefined }],
    ['no id', { jti: undefined }],
    ['no time of issue', { iat: undefined }],
    ['no time of expiry', { exp: undefined }],
    ['another issuer', { iss: 'https://elsewhere.example/oidc' }],
    ['another audience', { aud: 'https://elsewhere.example/api' }],
  ])('with %s is not valid', async (_name, change, header) => {
    await expect(issuer().verify(await sign(change, header))).rejects.toThrow(InvalidToken);
  });

  test('is not called invalid because our own store is away', async () => {
    const verifying = issuer().verify(await sign({}, { kid: 'broken' }));
    await expect(verifying).rejects.toThrow('The store is away');
    await expect(verifying).rejects.not.toBeInstanceOf(InvalidToken);
  });
});

describe('an API token', () => {
  let tokens: ApiTokens;
  let others: ApiTokens;
  let admin: string;
  let names = 0;
  beforeAll(async () => {
    tokens = createApiTokens(spaces.here);
    others = createApiTokens(spaces.elsewhere);
    spaces.clock.advance(1_000);
    admin = await spaces.addPerson(spaces.here, 'admin@example.com', { privileged: true });
  });
  beforeEach(() => spaces.database.query('delete from api_token'));

  const principal = (): Principal => ({
    ...{ spaceId: spaces.here.spaceId, userId: admin, kind: 'person', displayName: 'Admin' },
    ...{ email: 'admin@example.com', claims: { privileged: true, roles: [] }, narrowed: false },
  });
  const make = (more: Partial<ApiTokenInput> = {}) =>
    tokens.createApiToken({
      ...{ principal: principal(), displayName: `token ${++names}`, roles: null, expiresAt: null },
      ...more,
    });
  const fieldsOf = (making: Promise<unknown>) =>
    making.then(
      () => [],
      (error: { invalidParams: { name: string }[] }) => error.invalidParams.map(({ name }) => name),
    );
  const uses = async (id: string) => {
    await Promise.all([tokens.settle(), others.settle()]);
    const { rows } = await spaces.database.query<{ at: string | null; address: string | null }>(
      'select last_used_at as at, last_used_from as address from api_token where api_token_id = $1',
      [id],
    );
    return rows[0]!;
  };

  test('has a name, roles and an expiry in their bounds', async () => {
    expect((await make({ displayName: ` ${'n'.repeat(30)} ` })).row.displayName).toBe('n'.repeat(30));
    expect(await fieldsOf(make({ displayName: 'n'.repeat(31) }))).toEqual(['displayName']);
    expect(await fieldsOf(make({ displayName: ' ' }))).toEqual(['displayName']);
    const roles = (count: number) => Array.from({ length: count }, () => 'sonar:viewer');
    expect((await make({ roles: roles(20) })).row.roles).toEqual(['sonar:viewer']);
    expect(await fieldsOf(make({ roles: roles(21) }))).toEqual(['roles']);
    expect(await fieldsOf(make({ expiresAt: isoTime(spaces.clock.now()) }))).toEqual(['expiresAt']);
    const { token } = await make({ expiresAt: isoTime(spaces.clock.now() + 1) });
    expect(await tokens.principalOf(token)).toMatchObject({ expiresAt: spaces.clock.now() + 1 });
    spaces.clock.advance(1);
    await expect(tokens.principalOf(token)).rejects.toMatchObject({ kind: 'sign-in-required' });
    const limited = { ...principal(), claims: { privileged: false, roles: ['sonar:viewer'] } };
    const beyond = make({ principal: limited, roles: ['sonar:viewer', 'greac:user'] });
    await expect(beyond).rejects.toMatchObject({
      kind: 'forbidden',
      detail: expect.stringContaining('greac:user'),
      invalidParams: [{ name: 'roles', reason: expect.stringContaining('greac:user') }],
    });
    const broken = make({ principal: { ...principal(), userId: spaces.here.nextId() } });
    await expect(broken).rejects.toMatchObject({ code: '23503' });
  });

  test('is known, looked up again and removed in its space alone', async () => {
    const { token, row } = await make();
    const second = await make();
    const known = { userId: admin, apiTokenId: row.apiTokenId, narrowed: false, kind: 'api-token' };
    expect((await tokens.principalOf(token)).principal).toMatchObject(known);
    expect(await tokens.principalOfId(row.apiTokenId)).toMatchObject(known);
    expect((await tokens.principalOf(token)).expiresAt).toBe(Number.POSITIVE_INFINITY);
    const refused = { kind: 'sign-in-required' };
    await expect(others.principalOf(token)).rejects.toMatchObject(refused);
    await expect(others.principalOfId(row.apiTokenId)).rejects.toMatchObject(refused);
    await expect(tokens.principalOf(`${token}x`)).rejects.toMatchObject(refused);
    const before = spaces.cleared();
    expect(await others.removeApiToken(row.apiTokenId)).toBe(false);
    expect(await tokens.removeApiToken('no id')).toBe(false);
    expect(await tokens.removeApiToken(row.apiTokenId)).toBe(true);
    expect(spaces.cleared()).toBe(before + 2);
    await expect(tokens.principalOfId(row.apiTokenId)).rejects.toMatchObject(refused);
    expect((await tokens.principalOf(second.token)).principal.userId).toBe(admin);
  });

  test('is refused while its owner is disabled', async () => {
    const { token } = await make();
    const disable = (disabled: boolean) =>
      spaces.database.query('update person set disabled = $2 where user_id = $1', [admin, disabled]);
    await disable(true);
    await expect(tokens.principalOf(token)).rejects.toMatchObject({ kind: 'sign-in-required' });
    await disable(false);
    expect((await tokens.principalOf(token)).principal.userId).toBe(admin);
  });

  test('has its use noted at most once a minute, by all replicas together, and keeps the last address', async () => {
    const { row } = await make();
    const second = await make();
    const id = row.apiTokenId;
    const start = spaces.clock.now();
    others.noteUse(id, '192.0.2.9');
    expect(await uses(id)).toEqual({ at: null, address: null });
    tokens.noteUse(id, '192.0.2.1');
    expect(await uses(id)).toEqual({ at: isoTime(start), address: '192.0.2.1' });
    expect(await uses(second.row.apiTokenId)).toEqual({ at: null, address: null });
    const replica = createApiTokens(spaces.here);
    spaces.clock.advance(59_999);
    tokens.noteUse(id, '192.0.2.2');
    replica.noteUse(id, '192.0.2.3');
    await replica.settle();
    expect(await uses(id)).toEqual({ at: isoTime(start), address: '192.0.2.1' });
    spaces.clock.advance(1);
    tokens.noteUse(id);
    expect(await uses(id)).toEqual({ at: isoTime(start + 60_000), address: '192.0.2.1' });
    spaces.clock.advance(60_000);
    replica.noteUse(id, '192.0.2.4');
    await replica.settle();
    expect(await uses(id)).toEqual({ at: isoTime(start + 120_000), address: '192.0.2.4' });
  });

  test('that is used again at once makes no further statement', async () => {
    let statements = 0;
    const query: typeof spaces.database.query = (...statement) => {
      statements += 1;
      return spaces.database.query(...statement);
    };
    const counting = createApiTokens({ ...spaces.here, database: { ...spaces.database, query } });
    const { row } = await make();
    for (let at = 0; at < 3; at++) counting.noteUse(row.apiTokenId);
    spaces.clock.advance(59_999);
    counting.noteUse(row.apiTokenId);
    expect(statements).toBe(1);
    spaces.clock.advance(1);
    counting.noteUse(row.apiTokenId);
    expect(statements).toBe(2);
    await counting.settle();
  });

  test('whose use cannot be noted is told of in the log', async () => {
    const database = { ...spaces.database, query: () => Promise.reject(new Error('gone')) };
    const away = createApiTokens({ ...spaces.here, database });
    spaces.logLines.length = 0;
    away.noteUse('one');
    await away.settle();
    expect(spaces.logLines).toEqual([{ level: 'warn', message: 'API token use not noted', error: 'gone' }]);
  });

  test('for the bootstrap belongs to the first privileged user who is not disabled, of its space', async () => {
    const value = 'v'.repeat(32);
    await expect(tokens.ensureBootstrapToken('v'.repeat(31))).rejects.toThrow('32 characters');
    await others.ensureBootstrapToken(value);
    expect(await spaces.column('select 1 from api_token')).toEqual([]);
    await spaces.database.query('update person set disabled = true where user_id = $1', [admin]);
    spaces.clock.advance(1);
    await spaces.addPerson(spaces.here, 'plain@example.com');
    const second = await spaces.addPerson(spaces.here, 'second@example.com', { privileged: true });
    const foreign = await spaces.addPerson(spaces.elsewhere, 'boss@example.com', { privileged: true });
    await tokens.ensureBootstrapToken(value);
    expect((await tokens.principalOf(value)).principal).toMatchObject({ userId: second, narrowed: false });
    const own = 'w'.repeat(32);
    await others.ensureBootstrapToken(own);
    await spaces.database.query(`update api_token set roles = '{}', expires_at = now() where user_id = $1`, [
      second,
    ]);
    const before = spaces.cleared();
    await tokens.ensureBootstrapToken(value);
    expect(spaces.cleared()).toBe(before);
    await tokens.ensureBootstrapToken('x'.repeat(40));
    expect(spaces.cleared()).toBe(before + 1);
    expect(await tokens.principalOf('x'.repeat(40))).toMatchObject({
      expiresAt: Number.POSITIVE_INFINITY,
      principal: { userId: second, narrowed: false },
    });
    expect((await others.principalOf(own)).principal.userId).toBe(foreign);
    expect(await spaces.column('select display_name from api_token')).toEqual(['bootstrap', 'bootstrap']);
    await spaces.database.query('update person set disabled = false where user_id = $1', [admin]);
  });
});
