import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { createOneTimeTokens } from '../tokens/one-time-tokens.ts';
import { createUserAccounts } from '../users/user-accounts.ts';
import {
  type ExternalProvider,
  ExternalProviderError,
  type PendingAuthorization,
} from './external-provider.ts';
import type { ExternalSettings } from './external-settings.ts';
import { createExternalSignIn, type ExternalOutcome, type ExternalProgress } from './external-sign-in.ts';
import type { ExternalIdentity } from './mapped-claims.ts';

let spaces: TwoSpaces;
let hana: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  hana = await spaces.addPerson(spaces.here, 'hana@example.com');
}, 60_000);
afterAll(() => spaces.close());
beforeEach(async () => {
  spaces.logLines.length = 0;
  await spaces.database.query('delete from person_link');
  await spaces.database.query('delete from one_time_token');
  await spaces.database.query('update person set password_hash = null, disabled = false');
});

const pending: PendingAuthorization = { state: 'one.state', verifier: 'v', nonce: 'n' };
const progress: ExternalProgress = { ...pending, again: false };
const identity: ExternalIdentity = {
  ...{ issuer: 'https://id.example', subject: 'one', email: 'hana@example.com', emailVerified: true },
  ...{ displayName: 'Hana', privileged: undefined, roles: undefined, methods: [] },
};
const answer = new URLSearchParams({ state: 'one.state', code: 'abc' });
const refusal = (code: string, isOurs = false) => new ExternalProviderError(code, isOurs, new Error('cause'));

/** A sign-in whose provider answers with these; each request that it gets is kept. */
function open(
  provider: {
    begin?: () => Error;
    finish?: () => Partial<ExternalIdentity> | Error;
    signOut?: () => URL | Error | null;
  },
  settings: Partial<ExternalSettings> = {},
) {
  const requests: object[] = [];
  const orThrow = <T>(value: T | Error): T => {
    if (value instanceof Error) throw value;
    return value;
  };
  const fake: ExternalProvider = {
    settings: { name: 'Company', createUsers: false, signOut: true, ...settings } as ExternalSettings,
    async begin(options) {
      requests.push(options);
      orThrow(provider.begin?.());
      return { address: new URL('https://id.example/authorize'), pending };
    },
    finish: async () => ({ ...identity, ...orThrow(provider.finish?.()), idToken: 'token' }),
    signOut: async () => orThrow(provider.signOut?.() ?? null),
  };
  const signIn = createExternalSignIn(spaces.here, {
    ...{ provider: fake, people: createUserAccounts(spaces.here), tokens: createOneTimeTokens(spaces.here) },
  });
  const page = {
    ...{
      language: 'en' as const,
      t: spaces.here.translators.en,
      action: '/oidc/interaction/one',
      uid: 'one',
    },
    fresh: true,
  };
  const finish = (by: ExternalProgress | null = progress, query = answer) =>
    signIn.finish(page, query, by ?? undefined, () => {});
  return { signIn, page, requests, finish };
}
const summary = (outcome: ExternalOutcome) =>
  outcome.kind === 'page' ? [outcome.page.status, outcome.reason] : [outcome.kind];

describe('a sign-in through the provider', () => {
  test('begins with what is asked for, and keeps that it is the first request', async () => {
    const { signIn, page, requests } = open({});
    expect(signIn.name).toBe('Company');
    expect(await signIn.begin(page, { prompt: 'select_account', loginHint: 'hana' })).toEqual({
      ...{
        kind: 'go',
        address: new URL('https://id.example/authorize'),
        external: { ...pending, again: false },
      },
    });
    await signIn.begin(page);
    expect(requests).toEqual([
      { uid: 'one', language: 'en', fresh: true, prompt: 'select_account', loginHint: 'hana' },
      { uid: 'one', language: 'en', fresh: true },
    ]);
  });

  test('begins anew when the answer is that of another request or of none', async () => {
    const { finish, requests } = open({ finish: () => new Error('not asked') });
    expect(await finish(null)).toMatchObject({ kind: 'go', external: { again: false } });
    expect(await finish(progress, new URLSearchParams({ state: 'other' }))).toMatchObject({ kind: 'go' });
    expect(requests).toHaveLength(2);
  });

  test('lets a known user in by the methods of the provider, or as one that it vouches for', async () => {
    expect(await open({}).finish()).toEqual({
      kind: 'in',
      userId: hana,
      epoch: 0,
      methods: ['fed'],
      idToken: 'token',
    });
    expect(await open({ finish: () => ({ methods: ['pwd', 'mfa'] }) }).finish()).toMatchObject({
      methods: ['pwd', 'mfa'],
    });
  });

  test('of a user with a password leads to the link of both accounts, which is good for an hour', async () => {
    await spaces.database.query(`update person set password_hash = 'x' where user_id = $1`, [hana]);
    const outcome = await open({}).finish();
    expect(outcome.kind).toBe('link');
    const token = /^\/link-account\?token=([\w-]+)$/.exec((outcome as { path: string }).path)![1]!;
    const tokens = createOneTimeTokens(spaces.here);
    spaces.clock.advance(3_599_999);
    expect(await tokens.peek('link-account', token)).toEqual({
      ...{ state: 'good', userId: hana },
      data: {
        ...{ issuer: 'https://id.example', subject: 'one', account: 'hana@example.com' },
        back: '/oidc/interaction/one?external=start',
      },
    });
    spaces.clock.advance(1);
    expect((await tokens.peek('link-account', token)).state).toBe('expired');
  });

  test.each<[Partial<ExternalIdentity>, number, string]>([
    [{ email: 'nobody@example.com' }, 403, 'unknown'],
    [{ email: null }, 403, 'no-address'],
    [{ emailVerified: false }, 403, 'unverified'],
  ])('of %j ends on a page that says why, and offers another account', async (claims, status, reason) => {
    const outcome = await open({ finish: () => claims }).finish();
    expect(summary(outcome)).toEqual([status, reason]);
    const { text } = (outcome as { page: { text: string } }).page;
    expect(text).toContain('href="/oidc/interaction/one?external=other"');
  });

  test('makes a user where the configuration says so, unless the price plan has no room', async () => {
    const context = { ...spaces.here, maxUsers: 1 };
    const people = createUserAccounts(context);
    const before = open(
      { finish: () => ({ subject: 'two', email: 'two@example.com' }) },
      { createUsers: true },
    );
    const full = createExternalSignIn(context, {
      people,
      tokens: createOneTimeTokens(context),
      provider: {
        settings: { name: 'Company', createUsers: true } as ExternalSettings,
        finish: async () => ({ ...identity, email: 'two@example.com', idToken: 'token' }),
      } as unknown as ExternalProvider,
    });
    expect(summary(await full.finish(before.page, answer, progress, () => {}))).toEqual([409, 'full']);
    expect(await before.finish()).toMatchObject({ kind: 'in' });
    await people.removeUser((await people.findUser({ email: 'two@example.com' }))!.userId);
  });

  test.each(['login_required', 'interaction_required', 'account_selection_required'])(
    'that is answered with %s asks for the page of the provider once',
    async (code) => {
      const { finish, requests } = open({ finish: () => refusal(code) });
      expect(await finish()).toMatchObject({ kind: 'go', external: { again: true } });
      expect(requests).toEqual([{ uid: 'one', language: 'en', fresh: true, prompt: 'login' }]);
      expect(await finish({ ...progress, again: true })).toEqual({
        ...{ kind: 'refused', code, description: 'Company' },
      });
    },
  );

  test('that the provider refuses goes back to the client with its code', async () => {
    expect(await open({ finish: () => refusal('access_denied') }).finish()).toEqual({
      ...{ kind: 'refused', code: 'access_denied', description: 'Company' },
    });
    expect(spaces.logLines).toMatchObject([
      {
        level: 'warn',
        message: 'The external provider let nobody in',
        code: 'access_denied',
        error: 'cause',
      },
    ]);
    expect(await open({ finish: () => refusal('invalid_answer') }).finish()).toMatchObject({
      code: 'server_error',
    });
  });

  test('is logged with the code, the reason beneath it, and what the provider says', async () => {
    const cause = Object.assign(new Error('refused', { cause: new Error('beneath') }), {
      code: 'LIBRARY',
      error_description: 'x'.repeat(501),
    });
    await open({ finish: () => new ExternalProviderError('access_denied', false, cause) }).finish();
    expect(spaces.logLines).toMatchObject([
      { code: 'access_denied', error: 'refused', cause: 'beneath', description: 'x'.repeat(500) },
    ]);
  });

  test('of a provider that does not respond ends on a page that says to try later', async () => {
    const { finish } = open({ finish: () => refusal('unreachable', true) });
    const outcome = await finish();
    expect(summary(outcome)).toEqual([502, 'unreachable']);
    expect((outcome as { page: { text: string } }).page.text).toContain('Try again later');
  });

  test('over a wrong configuration ends on a page with the code, also at the second request', async () => {
    const { signIn, page } = open({ begin: () => refusal('discovery_failed', true) });
    const outcome = await signIn.begin(page);
    expect(summary(outcome)).toEqual([502, 'discovery_failed']);
    const { text } = (outcome as { page: { text: string } }).page;
    expect(text).toContain('discovery_failed');
    expect(text).toContain('href="/oidc/interaction/one"');
    expect(spaces.logLines).toMatchObject([
      { level: 'error', message: 'The external provider cannot be used' },
    ]);
    const again = open({
      begin: () => refusal('invalid_client', true),
      finish: () => refusal('login_required'),
    });
    expect(summary(await again.finish())).toEqual([502, 'invalid_client']);
  });

  test('leaves a fault of ours to the page', async () => {
    const broken = () => new Error('broken');
    await expect(open({ begin: broken }).signIn.begin(open({}).page)).rejects.toThrow('broken');
    await expect(open({ finish: broken }).finish()).rejects.toThrow('broken');
    await expect(open({ begin: broken, finish: () => refusal('login_required') }).finish()).rejects.toThrow(
      'broken',
    );
    expect(spaces.logLines).toEqual([]);
  });
});

describe('a sign-out at the provider', () => {
  const end = () => new URL('https://id.example/end?a=1&b=2');

  test('is offered by a page that goes on by itself', async () => {
    const { signIn, page } = open({ signOut: end });
    const shown = (await signIn.signOut(page, 'token'))!;
    expect(shown.status).toBe(200);
    expect(shown.headers.refresh).toBe('0; url=https://id.example/end?a=1&b=2');
    expect(shown.text).toContain('href="https://id.example/end?a=1&amp;b=2"');
  });

  test('is left out by the configuration, by the provider, and when the provider fails', async () => {
    const of = (signOut: () => URL | Error | null, settings = {}) => {
      const { signIn, page } = open({ signOut }, settings);
      return signIn.signOut(page, 'token');
    };
    expect(await of(end, { signOut: false })).toBeNull();
    expect(await of(() => null)).toBeNull();
    expect(spaces.logLines).toEqual([]);
    expect(await of(() => refusal('discovery_failed', true))).toBeNull();
    expect(spaces.logLines).toMatchObject([{ level: 'warn', code: 'discovery_failed', error: 'cause' }]);
    await expect(of(() => new Error('broken'))).rejects.toThrow('broken');
  });
});
