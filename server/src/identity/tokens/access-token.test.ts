import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addSpace,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { ManualClock } from '../../common/clock.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import { createIdentity, type Identity } from '../identity.ts';
import type { Principal } from '../principal.ts';
import { keyTimes } from './signing-keys.ts';

let server: IdentityServer;
let admin: Principal;
let accessToken: string;
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
  accessToken = signedIn.tokens.access_token;
  admin = await identity.authenticate(signedIn.bearer);
}, 60_000);
afterAll(() => server.close());

let names = 0;
const make = (principal: Principal) =>
  server.identity.createApiToken({
    principal,
    displayName: `token ${++names}`,
    roles: null,
    expiresAt: null,
  });
const using = (token: string) => server.identity.authenticate({ 'x-authorization': `Token ${token}` });
const refused = expect.objectContaining({ kind: 'sign-in-required', status: 401 });

describe('a caller without a good credential', () => {
  test.each([
    ['nothing', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['Token in the wrong header', { authorization: `Token ygr_${'A'.repeat(43)}` }],
    ['an unknown API token', { 'x-authorization': `Token ygr_${'A'.repeat(43)}` }],
    ['a token with blanks', { authorization: 'Bearer a b' }],
    ['a token of nine kilobytes', { authorization: `Bearer ${'a'.repeat(9_000)}` }],
    ['a NUL', { 'x-authorization': 'Token a\u0000b' }],
  ])('%s gets 401', async (_name, headers) => {
    await expect(server.identity.authenticate(headers)).rejects.toThrow(refused);
  });

  test('an access token does not pass as an API token, however well it is known', async () => {
    await server.identity.authenticate({ authorization: `Bearer ${accessToken}` });
    await expect(using(accessToken)).rejects.toThrow(refused);
  });
});

describe('an access token', () => {
  const bearer = (token: string) => server.identity.authenticate({ authorization: `Bearer ${token}` });

  async function forge(change: (claims: JWTPayload, header: Record<string, unknown>) => void, ownKey = true) {
    const { rows } = await server.database.query<{ kid: string }>(
      'select kid from oidc_key where space_id = $1',
      [server.spaceId],
    );
    const key = ownKey ? await ourKey() : (await generateKeyPair('ES256')).privateKey;
    const claims = { ...decodeJwt(accessToken) };
    const header = { alg: 'ES256', typ: 'at+jwt', kid: rows[0]!.kid };
    change(claims, header);
    return new SignJWT(claims).setProtectedHeader(header).sign(key);
  }

  // The server's own signing key, so that a forged token differs from a valid one only in what is tested.
  async function ourKey() {
    const { rows } = await server.database.query<{ kid: string; private_jwk: Buffer }>(
      'select kid, private_jwk from oidc_key where space_id = $1',
      [server.spaceId],
    );
    const label = `signing key ${server.spaceId} ${rows[0]!.kid}`;
    return importJWK(JSON.parse(deriveSecret(server.secret).open(rows[0]!.private_jwk, label)!), 'ES256');
  }

  test('made with our key and right claims passes, so that the refusals below mean something', async () => {
    expect((await bearer(await forge(() => {}))).userId).toBe(admin.userId);
  });

  test.each<[string, (claims: JWTPayload, header: Record<string, unknown>) => void]>([
    [
      'another issuer',
      (claims) => {
        claims.iss = 'http://evil.example/oidc';
      },
    ],
    [
      'another audience',
      (claims) => {
        claims.aud = 'yagura-web';
      },
    ],
    [
      'no audience',
      (claims) => {
        delete claims.aud;
      },
    ],
    [
      'no expiry',
      (claims) => {
        delete claims.exp;
      },
    ],
    [
      'an expiry that has passed',
      (claims) => {
        claims.exp = Math.floor(server.clock.now() / 1000) - 60;
      },
    ],
    [
      'another space',
      (claims) => {
        claims.space = '01990000-0000-7000-8000-000000000000';
      },
    ],
    [
      'another person',
      (claims) => {
        claims.sub = '01990000-0000-7000-8000-000000000000';
      },
    ],
    [
      'a subject that is no id',
      (claims) => {
        claims.sub = "x' or 1=1";
      },
    ],
    [
      'a grant that is not',
      (claims) => {
        claims.grant = 'none';
      },
    ],
    [
      'no grant',
      (claims) => {
        delete claims.grant;
      },
    ],
    [
      'an older epoch',
      (claims) => {
        claims.epoch = -1;
      },
    ],
    [
      'another type',
      (_claims, header) => {
        header.typ = 'JWT';
      },
    ],
    [
      'an unknown key id',
      (_claims, header) => {
        header.kid = 'unknown';
      },
    ],
  ])('with %s is refused', async (_name, change) => {
    await expect(bearer(await forge(change))).rejects.toThrow(refused);
  });

  test('signed with another key, with none, or by the public key as a secret is refused', async () => {
    await expect(bearer(await forge(() => {}, false))).rejects.toThrow(refused);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, claims] = accessToken.split('.');
    const { kid } = decodeProtectedHeader(accessToken);
    await expect(bearer(`${encode({ alg: 'none', typ: 'at+jwt' })}.${claims}.`)).rejects.toThrow(refused);
    await expect(bearer(`${encode({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.x`)).rejects.toThrow(
      refused,
    );
    const { rows } = await server.database.query<{ public_jwk: object }>('select public_jwk from oidc_key');
    const asSecret = await new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
      .sign(new TextEncoder().encode(JSON.stringify(rows[0]!.public_jwk)));
    await expect(bearer(asSecret)).rejects.toThrow(refused);
    const foreign = await generateKeyPair('ES256', { extractable: true });
    const withOwnJwk = await new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, jwk: await exportJWK(foreign.publicKey) })
      .sign(foreign.privateKey);
    await expect(bearer(withOwnJwk)).rejects.toThrow(refused);
  });

  test('an ID token is no access token', async () => {
    const { tokens } = await signIn(server, 'admin@example.com');
    await expect(bearer(tokens.id_token!)).rejects.toThrow(refused);
  });

  test('expires after ten minutes', async () => {
    const fresh = await forge((claims) => {
      claims.exp = Math.floor(server.clock.now() / 1000) + 600;
    });
    expect((await bearer(fresh)).userId).toBe(admin.userId);
    server.clock.advance(606_000);
    await expect(bearer(fresh)).rejects.toThrow(refused);
  });

  test('follows the powers of its person, and ends with a new password', async () => {
    const email = 'epoch@example.com';
    const { userId } = await server.identity.createUser({ email, displayName: 'Epoch', password });
    const token = await forge((claims) => {
      claims.sub = userId;
      claims.epoch = 0;
      claims.exp = Math.floor(server.clock.now() / 1000) + 3_600;
    });
    expect((await bearer(token)).claims).toEqual({ privileged: false, roles: [] });
    await server.identity.updateUser(userId, { privileged: true, roles: ['sonar:viewer'] });
    expect((await bearer(token)).claims).toEqual({ privileged: true, roles: ['sonar:viewer'] });
    await server.identity.setPassword(userId, 'Another-horse-8');
    await expect(bearer(token)).rejects.toThrow(refused);
  });
});

describe('the signing keys', () => {
  const published = async (algorithm = 'ES256'): Promise<string[]> => {
    const reply = await fetch(`${server.publicUrl}/oidc/jwks`);
    const { keys } = (await reply.json()) as { keys: { kid: string; alg: string; d?: string }[] };
    for (const { d } of keys) expect(d).toBeUndefined();
    return keys.filter(({ alg }) => alg === algorithm).map(({ kid }) => kid);
  };
  const bearer = (identity: Identity, token: string) =>
    identity.authenticate({ authorization: `Bearer ${token}` });

  test('survive a restart, and are not readable in the store', async () => {
    const before = await published();
    const old = server.identity;
    server.identity = await server.startAnother();
    await old.close();
    expect(await published()).toEqual(before);
    const { rows } = await server.database.query<{ private_jwk: Buffer }>('select private_jwk from oidc_key');
    expect(rows[0]!.private_jwk.toString('latin1')).not.toContain('"d"');
  });

  test('are replaced after ninety days: published first, signing later, verifying on, gone in the end', async () => {
    const [first] = await published();
    const [firstForIdTokens] = await published('RS256');
    const itsTime = new ManualClock(Date.now());
    const replica = await createIdentity({ ...server.options, clock: itsTime });
    server.clock.advance(keyTimes.signsFor);
    await server.identity.cleanup();
    expect([await published(), await published('RS256')].map(({ length }) => length)).toEqual([2, 2]);
    const signedBy = async () => {
      const { tokens } = await signIn(server, 'admin@example.com');
      return [tokens.access_token, tokens.id_token!].map((token) => decodeProtectedHeader(token).kid!);
    };
    expect(await signedBy()).toEqual([first, firstForIdTokens]);
    server.clock.advance(keyTimes.publishedBefore);
    await server.identity.cleanup();
    const [second, secondForIdTokens] = await signedBy();
    expect(second).not.toBe(first);
    expect(secondForIdTokens).not.toBe(firstForIdTokens);
    expect(await published()).toContain(first);

    // A replica with a stale key set loads the new key on the first token signed with it.
    const { tokens } = await signIn(server, 'viewer@example.com');
    expect(decodeProtectedHeader(tokens.access_token).kid).toBe(second);
    await expect(bearer(replica, tokens.access_token)).rejects.toThrow(refused);
    itsTime.advance(5_000);
    expect((await bearer(replica, tokens.access_token)).email).toBe('viewer@example.com');

    server.clock.advance(keyTimes.verifiesAfter + 1);
    await server.identity.cleanup();
    expect(await published()).toEqual([second]);
    expect(await published('RS256')).toEqual([secondForIdTokens]);
    await replica.close();
  });

  test('sealed with a secret that is lost are replaced', async () => {
    const before = [...(await published()), ...(await published('RS256'))];
    const other = await createIdentity({ ...server.options, secret: new Uint8Array(32).fill(7) });
    const { rows } = await server.database.query<{ kid: string }>('select kid from oidc_key');
    expect(rows.length).toBe(before.length + 2);
    expect(server.logLines.some(({ message }) => message.includes('another secret'))).toBe(true);
    await other.close();
  });
});

test('a space knows nothing of the people and tokens of another', async () => {
  const spaceId = await addSpace(server.database, server.clock);
  const other = await createIdentity({ ...server.options, spaceId });
  const { token } = await make(admin);
  await expect(other.authenticate({ 'x-authorization': `Token ${token}` })).rejects.toThrow(refused);
  await expect(other.authenticate({ authorization: `Bearer ${accessToken}` })).rejects.toThrow(refused);
  expect(await other.findUser(admin.userId)).toBeNull();
  expect(await other.updateUser(admin.userId, { displayName: 'Taken over' })).toBeNull();
  expect(await other.setPassword(admin.userId, 'Taken-over-1')).toBe(false);
  const { row } = await make(admin);
  expect(await other.removeApiToken(row.apiTokenId)).toBe(false);
  expect(await other.ensureInitialAdmin({ email: 'admin@example.com' })).toMatchObject({ created: true });
  await other.close();
});
