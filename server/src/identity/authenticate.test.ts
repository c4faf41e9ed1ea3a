import type { Translate } from '@yagura/core/i18n/translator';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../test/support/two-spaces.ts';
import { createAuthenticate } from './authenticate.ts';
import type { IdentityContext } from './identity-context.ts';
import { createTotp } from './mfa/totp.ts';
import type { Principal } from './principal.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { createAttemptLimit } from './sign-in/attempt-limit.ts';
import { createReauthenticate } from './sign-in/reauthentication.ts';
import { createSignInSessions } from './sign-in/sign-in-sessions.ts';
import { createApiTokens } from './tokens/api-tokens.ts';
import { InvalidToken, type VerifiedToken } from './tokens/token-issuer.ts';
import { createUserAccounts } from './users/user-accounts.ts';

const password = 'Correct-horse-7';
const refused = { kind: 'sign-in-required' };
let spaces: TwoSpaces;
let hana: string;
let stranger: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  const person = { email: 'hana@example.com', displayName: 'Hana', password, roles: ['sonar:viewer'] };
  hana = (await createUserAccounts(spaces.here).createUser(person)).userId;
  stranger = await spaces.addPerson(spaces.elsewhere, 'hana@example.com');
}, 60_000);
afterAll(() => spaces.close());

describe('a caller', () => {
  beforeEach(async () => {
    for (const table of ['api_token', 'oidc_payload']) await spaces.database.query(`delete from ${table}`);
    await spaces.database.query('update person set token_epoch = 2, disabled = false');
    await grant(spaces.here, 'grant');
  });
  const grant = (context: IdentityContext, id: string, model = 'Grant', lifetime = 60_000) =>
    spaces.database.query(
      `insert into oidc_payload (space_id, model, id, payload, expires_at) values ($1, $2, $3, '{}', $4)`,
      [context.spaceId, model, id, new Date(spaces.clock.now() + lifetime).toISOString()],
    );

  /** Authentication whose issuer takes every token for this. */
  function open(verified: Partial<VerifiedToken> | Error = {}) {
    const apiTokens = createApiTokens(spaces.here);
    const uses: unknown[][] = [];
    const { authenticate, recheck } = createAuthenticate(spaces.here, {
      issuer: {
        ...{ issuer: '', clientId: '', cliClientId: '' },
        async verify() {
          if (verified instanceof Error) throw verified;
          const expiresAt = spaces.clock.now() + 600_000;
          return { subject: hana, expiresAt, epoch: 2, grantId: 'grant', ...verified };
        },
      },
      apiTokens: { ...apiTokens, noteUse: (...given) => void uses.push(given) },
      cache: createPrincipalCache<Principal>({ now: () => spaces.clock.now(), lifetime: 3_000, size: 10 }),
    });
    return { authenticate, recheck, apiTokens, uses };
  }
  const bearer = { authorization: 'Bearer eyJ.a.b' };
  const token = { authorization: 'Bearer eyJh.eyJz.sig' };

  test('with an access token is its user as they are now', async () => {
    expect(await open().authenticate(token)).toEqual({
      ...{ spaceId: spaces.here.spaceId, userId: hana, kind: 'person', displayName: 'Hana' },
      ...{ email: 'hana@example.com', claims: { privileged: false, roles: ['sonar:viewer'] } },
      ...{ narrowed: false, grantId: 'grant', tokenEpoch: 2 },
    });
    await expect(open().authenticate(bearer)).rejects.toMatchObject(refused);
    await expect(open(new InvalidToken()).authenticate(token)).rejects.toMatchObject(refused);
    await expect(open(new Error('The store is away')).authenticate(token)).rejects.toThrow(
      'The store is away',
    );
  });

  test('also has the roles of the groups of the space', async () => {
    const group = spaces.here.nextId();
    await spaces.database.query(
      `insert into resource (space_id, kind, id, body, created_at, updated_at)
       values ($1, 'user-group', $2, '{"roles": ["greac:user", "sonar:viewer"]}', now(), now())`,
      [spaces.here.spaceId, group],
    );
    await spaces.database.query(
      'insert into user_group_member (space_id, user_group_id, user_id, joined_at) values ($1, $2, $3, now())',
      [...[spaces.here.spaceId, group, hana]],
    );
    expect((await open().authenticate(token)).claims.roles.toSorted()).toEqual([
      'greac:user',
      'sonar:viewer',
    ]);
    await spaces.database.query('delete from user_group_member');
    await spaces.database.query('delete from resource');
  });

  test.each<[string, Partial<VerifiedToken>, boolean]>([
    ['of the current epoch', { epoch: 2 }, true],
    ['of a later epoch', { epoch: 3 }, true],
    ['of an earlier epoch', { epoch: 1 }, false],
    ['without an epoch', { epoch: undefined as never }, true],
    ['without a grant', { grantId: undefined as never }, true],
    ['of a grant that is gone', { grantId: 'gone' }, false],
    ['of something else than a grant', { grantId: 'session' }, false],
    ['of a grant of another space', { grantId: 'foreign' }, false],
    ['of a grant that has expired', { grantId: 'old' }, false],
    ['of a user who is not', { subject: '01990000-0000-7000-8000-000000000000' }, false],
    ['of a subject that is no id', { subject: 'x' }, false],
  ])('with an access token %s (%o) is let in: %s', async (_name, verified, isIn) => {
    await grant(spaces.here, 'session', 'Session');
    await grant(spaces.elsewhere, 'foreign');
    await grant(spaces.here, 'old', 'Grant', 0);
    const calling = open(verified).authenticate(token);
    if (isIn) expect(await calling).toMatchObject({ userId: hana });
    else await expect(calling).rejects.toMatchObject(refused);
  });

  test('of another space, or who is disabled, is not let in', async () => {
    await expect(open({ subject: stranger }).authenticate(token)).rejects.toMatchObject(refused);
    await spaces.database.query('update person set disabled = true');
    await expect(open().authenticate(token)).rejects.toMatchObject(refused);
  });

  test('with an API token may send it in either header, and each use is noted', async () => {
    const { authenticate, recheck, apiTokens, uses } = open(new Error('not asked'));
    const principal = await open().authenticate(token);
    const made = await apiTokens.createApiToken({
      ...{ principal, displayName: 'script', roles: null, expiresAt: null },
    });
    const { apiTokenId } = made.row;
    for (const headers of [
      { 'x-authorization': `Token ${made.token}` },
      { 'x-authorization': ` TOKEN   ${made.token} `, authorization: 'Bearer x' },
      { authorization: `bearer ${made.token}` },
    ])
      expect(await authenticate(headers, '192.0.2.1')).toMatchObject({ kind: 'api-token', apiTokenId });
    expect(uses).toEqual(Array.from({ length: 3 }, () => [apiTokenId, '192.0.2.1']));
    for (const headers of [
      {},
      { 'x-authorization': `Bearer ${made.token}` },
      { authorization: `Token ${made.token}` },
      { authorization: made.token },
      { 'x-authorization': '', authorization: `Bearer ${made.token}` },
    ])
      await expect(authenticate(headers)).rejects.toMatchObject(refused);
    expect(await recheck({ userId: hana, apiTokenId })).toMatchObject({ apiTokenId });
    await apiTokens.removeApiToken(apiTokenId);
    await expect(recheck({ userId: hana, apiTokenId })).rejects.toMatchObject(refused);
  });

  test('whose access token is in the header of API tokens is not let in, also when it is known', async () => {
    const { authenticate } = open();
    await authenticate(token);
    await expect(authenticate({ 'x-authorization': 'Token eyJh.eyJz.sig' })).rejects.toMatchObject(refused);
  });

  test('may send a header of eight kibibytes and no more', async () => {
    const of = (length: number) => `Bearer eyJh.eyJz.${'s'.repeat(length - 'Bearer eyJh.eyJz.'.length)}`;
    expect(await open().authenticate({ authorization: of(8_192) })).toMatchObject({ userId: hana });
    await expect(open().authenticate({ authorization: of(8_193) })).rejects.toMatchObject(refused);
  });

  test('who is looked at again later is refused once the grant or the powers are gone', async () => {
    const { recheck } = open();
    const caller = { userId: hana, grantId: 'grant', tokenEpoch: 2 };
    expect(await recheck(caller)).toMatchObject({ userId: hana, kind: 'person' });
    spaces.clock.advance(59_999);
    expect(await recheck(caller)).toMatchObject({ userId: hana });
    spaces.clock.advance(1);
    await expect(recheck(caller)).rejects.toMatchObject(refused);
    expect(await recheck({ userId: hana, tokenEpoch: 2 })).toMatchObject({ userId: hana });
    await createUserAccounts(spaces.here).endSessions(hana, spaces.database.transaction);
    await expect(recheck({ userId: hana, tokenEpoch: 2 })).rejects.toMatchObject(refused);
  });
});

describe('the proof that it is still the user', () => {
  const t = ((key: string) => key) as Translate;
  let code: () => string;
  beforeEach(async () => {
    for (const table of ['signin_budget', 'sign_in_session', 'person_totp', 'recovery_code'])
      await spaces.database.query(`delete from ${table}`);
    await spaces.database.query('update person set disabled = false');
    spaces.clock.advance(90_000);
  });

  function open() {
    const context = spaces.here;
    const sessions = createSignInSessions(context);
    const prove = createReauthenticate(context, {
      ...{ sessions, totp: createTotp(context), limit: createAttemptLimit(context) },
    });
    return {
      sessions,
      /** What is refused and why, or "proved". */
      prove: (
        proof: { password?: string; code?: string },
        factors = false,
        grantId: string | null = 'grant',
      ) =>
        prove({ userId: hana, grantId: grantId ?? undefined }, proof, t, { factors }).then(
          () => 'proved',
          (error: { invalidParams?: { name: string; reason: string }[]; retryAfter?: number }) =>
            error.invalidParams?.[0]
              ? `${error.invalidParams[0].name}: ${error.invalidParams[0].reason}`
              : error.retryAfter,
        ),
      async signedIn(strong: boolean) {
        await sessions.record({
          grantId: 'grant',
          userId: hana,
          clientId: '',
          address: '',
          userAgent: '',
          language: 'en',
        });
        await sessions.recordProof('grant', strong);
      },
    };
  }
  async function turnSecondStepOn() {
    const totp = createTotp(spaces.here);
    const { secret } = await totp.prepare(hana, 'x');
    code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: spaces.clock.now() });
    await totp.enable(hana, code(), 'wrong');
    spaces.clock.advance(30_000);
  }

  test('is the password, a code, or a sign-in made anew, once', async () => {
    const { prove, signedIn } = open();
    expect(await prove({})).toBe('password: rule.required');
    expect(await prove({ password: 'wrong' })).toBe('password: card.wrong-password');
    expect(await prove({ password })).toBe('proved');
    await signedIn(false);
    expect(await prove({}, false, null)).toBe('password: rule.required');
    expect(await prove({})).toBe('proved');
    expect(await prove({})).toBe('password: rule.required');
    await turnSecondStepOn();
    // The code is used when both are given, and each is enough.
    expect(await prove({ password: 'wrong', code: code() })).toBe('proved');
    expect(await prove({ code: code() })).toBe('code: factor.wrong-code');
    expect(await prove({ password })).toBe('proved');
    await createUserAccounts(spaces.here).updateUser(hana, { disabled: true });
    expect(await prove({ password })).toBe('password: card.wrong-password');
    expect(await prove({})).toBe('password: factor.prove-again');
  });

  test('is the password and a code where the second step is asked for, or a sign-in made anew by both', async () => {
    const { prove, signedIn } = open();
    // Without a second step the password is enough.
    expect(await prove({ password }, true)).toBe('proved');
    await turnSecondStepOn();
    expect(await prove({}, true)).toBe('code: rule.required');
    expect(await prove({ password }, true)).toBe('code: rule.required');
    expect(await prove({ code: code() }, true)).toBe('password: rule.required');
    expect(await prove({ password: 'wrong', code: code() }, true)).toBe('password: card.wrong-password');
    expect(await prove({ password, code: '000000' }, true)).toBe('code: factor.wrong-code');
    expect(await prove({ password, code: code() }, true)).toBe('proved');
    spaces.clock.advance(30_000);
    await signedIn(false);
    expect(await prove({}, true)).toBe('code: rule.required');
    expect(await prove({ code: code() }, true)).toBe('proved');
    spaces.clock.advance(30_000);
    expect(await prove({ code: code() }, true)).toBe('password: rule.required');
    await signedIn(true);
    expect(await prove({ password }, true)).toBe('code: rule.required');
    expect(await prove({}, true)).toBe('proved');
    expect(await prove({}, true)).toBe('code: rule.required');
  });

  test('is not looked at while one has to wait, and missing values count for nothing', async () => {
    const { prove } = open();
    for (let at = 0; at < 10; at++) await prove({});
    for (let at = 0; at < 5; at++)
      expect(await prove({ password: 'wrong' })).toBe('password: card.wrong-password');
    expect(await prove({ password })).toBe(30);
    spaces.clock.advance(29_500);
    expect(await prove({ password })).toBe(1);
    spaces.clock.advance(500);
    expect(await prove({ password })).toBe('proved');
    expect(await spaces.column('select kind from signin_budget order by kind')).toEqual(['proof account']);
    await spaces.database.query('delete from signin_budget');
    for (let at = 0; at < 5; at++) await prove({ password: 'wrong' }, false, null);
    expect(await prove({ password }, false, null)).toBe(30);
    expect(await prove({ password })).toBe('proved');
  });
});
