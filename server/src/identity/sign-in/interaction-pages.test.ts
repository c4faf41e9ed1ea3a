// The sign-in page over a provider of the test, so that every answer and everything that is kept can be seen.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import type { AuditEntry } from '../../audit/audit-log.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import type { ExternalOutcome } from '../external/external-sign-in.ts';
import { openIdToken } from '../external/sealed-id-token.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createTotp } from '../mfa/totp.ts';
import { createUserAccounts } from '../users/user-accounts.ts';
import { createAttemptLimit } from './attempt-limit.ts';
import { createInteractionPages } from './interaction-pages.ts';
import { createKnownDevices } from './known-devices.ts';

const password = 'Correct-horse-7';
const email = 'hana@example.com';
let spaces: TwoSpaces;
let hana: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  const users = createUserAccounts(spaces.here);
  hana = (await users.createUser({ email, displayName: 'Hana', password })).userId;
}, 60_000);
afterAll(() => spaces.close());
beforeEach(async () => {
  for (const table of ['signin_budget', 'known_device', 'person_totp', 'recovery_code'])
    await spaces.database.query(`delete from ${table}`);
  spaces.logLines.length = 0;
  spaces.clock.advance(90_000);
});

interface Options {
  context?: Partial<IdentityContext>;
  interaction?: object;
  passkeys?: { inUse?: boolean; owner?: string | null; epoch?: number };
  /** What the external provider comes to; it is there when this is. */
  outcome?: ExternalOutcome;
  /** Thrown instead of the sign-in in progress. */
  error?: unknown;
}

function open({ context: change, interaction: more, passkeys = {}, outcome, error }: Options = {}) {
  const audited: AuditEntry[] = [];
  const results: object[] = [];
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]) =>
      void calls.push([name, ...given]);
  const context: IdentityContext = {
    ...spaces.here,
    audit: { enqueue: (entry) => void audited.push(entry) },
    recordSignIn: async (_req, details) => void calls.push(['recordSignIn', details]),
    ...change,
  };
  const interaction = {
    ...{ uid: 'one', prompt: { name: 'login' }, result: undefined as unknown },
    /** Stores the result, later than at once. */
    async persist(): Promise<void> {
      calls.push(['persist']);
      await new Promise(setImmediate);
      stored = interaction.result;
    },
    params: { client_id: 'yagura-web', redirect_uri: 'https://here.example/authorize' },
    ...more,
  };
  let stored: unknown;
  const provider = {
    async interactionDetails() {
      if (error) throw error;
      return interaction;
    },
    async interactionResult(_req: unknown, _res: unknown, result: object) {
      results.push(result);
      return 'https://here.example/oidc/auth/one';
    },
    Grant: {
      find: async (id: string) => (id === 'gone' ? undefined : { destroy: () => note('destroy grant')(id) }),
    },
    RefreshToken: { revokeByGrantId: note('revoke') },
    Session: {
      findByUid: async (uid: string) => ({
        authorizations: {
          web: { grantId: 'web' },
          other: { grantId: 'gone' },
          cli: { grantId: 'cli', persistsLogout: true },
          none: {},
        },
        destroy: () => note('destroy session')(uid),
      }),
    },
  };
  const totp = createTotp(context);
  const notices: unknown[] = [];
  const pages = createInteractionPages(context, {
    ...{ provider: () => provider as never, translators: context.translators, totp },
    ...{ limit: createAttemptLimit(context), devices: createKnownDevices(context) },
    passkeys: {
      inUse: async () => passkeys.inUse ?? false,
      requestOptions: async (userId: string | null) => ({ challenge: `challenge of ${userId}` }),
      async verify(...given: unknown[]) {
        calls.push(['verify', ...given]);
        return passkeys.owner ? { userId: passkeys.owner, epoch: passkeys.epoch ?? 0 } : null;
      },
    } as never,
    external: outcome && {
      name: 'Company',
      signOut: async () => null,
      async begin(page, options) {
        calls.push(['begin', page.fresh, options]);
        return outcome;
      },
      async finish(_page, query, progress, record) {
        calls.push(['finish', query.get('code'), progress]);
        if (outcome.kind === 'in') record({ action: 'edit', userId: outcome.userId, after: { roles: [] } });
        return outcome;
      },
    },
    onRecoveryCodeUsed: async (...given) => void notices.push(given),
    clientAddress: () => '192.0.2.1',
  });

  async function send(
    form?: Record<string, string>,
    options: { query?: string; method?: string; headers?: object; uid?: string; headersSent?: boolean } = {},
  ) {
    const { query = '', method = form ? 'POST' : 'GET', uid = 'one' } = options;
    const req = Object.assign(
      Readable.from(form ? [Buffer.from(new URLSearchParams(form).toString())] : []),
      {
        ...{ method, url: `/oidc/interaction/one${query}` },
        headers: {
          'accept-language': 'en',
          'user-agent': 'Browser',
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...options.headers,
        },
      },
    );
    const reply = {
      status: 0,
      headers: {} as Record<string, unknown>,
      cookies: [] as string[],
      text: '',
      destroyed: false,
    };
    const keep = (_name: string, value: string) => void reply.cookies.push(value);
    const res = {
      ...{ headersSent: options.headersSent ?? false, setHeader: keep, appendHeader: keep },
      writeHead(status: number, headers: Record<string, unknown>) {
        Object.assign(reply, { status, headers });
        return res;
      },
      end(text = '') {
        reply.text = text;
      },
      destroy() {
        reply.destroyed = true;
      },
    };
    stored = interaction.result;
    await pages.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse, uid);
    // What was not stored by the time of the reply is lost.
    interaction.result = stored;
    return reply;
  }
  const signIn = (given = password, as = email) => send({ email: as, password: given });
  return { send, signIn, interaction, results, audited, calls, totp, notices, context };
}
const leads = { status: 303, headers: { location: 'https://here.example/oidc/auth/one' } };
const budgets = () => spaces.column('select kind from signin_budget order by kind');

async function turnSecondStepOn() {
  const totp = createTotp(spaces.here);
  const { secret } = await totp.prepare(hana, email);
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: spaces.clock.now() });
  const codes = await totp.enable(hana, code(), 'wrong');
  spaces.clock.advance(30_000);
  return { code, codes };
}

describe('a password', () => {
  test('that is right signs in, is recorded, and makes the browser known', async () => {
    const { signIn, results, audited } = open();
    const reply = await signIn();
    expect(reply).toMatchObject(leads);
    expect(results).toEqual([{ login: { accountId: hana, epoch: 0, remember: true, amr: ['pwd'] } }]);
    expect(reply.cookies).toEqual([expect.stringMatching(/^__Host-yagura_device=/)]);
    expect(await spaces.column('select second_step from known_device')).toEqual([false]);
    expect(await budgets()).toEqual(['address', 'password account']);
    expect(audited).toEqual([
      {
        actor: { kind: 'person', userId: hana, name: 'Hana' },
        from: { address: '192.0.2.1', userAgent: 'Browser' },
        ...{ action: 'sign-in', outcome: 'done', resource: 'sign-in', resourceId: hana, detail: 'pwd' },
      },
    ]);
    expect(spaces.logLines).toMatchObject([
      { level: 'info', message: 'Signed in', userId: hana, methods: ['pwd'] },
    ]);
  });

  test('that is wrong is recorded with its account, not the name entered, and after five the right one has to wait too', async () => {
    const { signIn, results, audited } = open();
    for (let at = 0; at < 4; at++) expect((await signIn('wrong')).status).toBe(400);
    const fifth = await signIn('wrong');
    expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '30']);
    const failed = {
      actor: { kind: 'guest', userId: null, name: '' },
      resourceId: hana,
      outcome: 'failed',
      detail: 'password',
    };
    // Written to the audit log after the reply.
    await expect.poll(() => audited.length).toBe(5);
    expect(audited[0]).toMatchObject(failed);
    expect(spaces.logLines[0]).toEqual({
      ...{ level: 'warn', message: 'Sign-in failed', way: 'password', address: '192.0.2.1' },
    });
    spaces.clock.advance(29_999);
    const early = await signIn();
    expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
    expect([results.length, audited.length]).toEqual([0, 5]);
    spaces.clock.advance(1);
    expect(await signIn()).toMatchObject(leads);
  });

  test('or an address that is missing is asked for, and counts for nothing', async () => {
    const { signIn } = open();
    for (const [given, as] of [
      ['', email],
      [password, ' '],
      ['', ''],
    ] as const) {
      const reply = await signIn(given, as);
      expect([reply.status, reply.text.includes('Enter your email address')]).toEqual([400, true]);
    }
    expect(await budgets()).toEqual([]);
    const long = await signIn('x', `${'a'.repeat(254)}b`);
    expect(long.text).toContain(`value="${'a'.repeat(254)}"`);
  });

  test('from a form of another site is not looked at', async () => {
    const { send } = open();
    const reply = await send({ email, password }, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(reply.status).toBe(403);
    expect(await budgets()).toEqual([]);
  });

  test('of a user in whose browser somebody else was signed in ends that session and its sign-ins', async () => {
    const other = open({ interaction: { session: { accountId: 'ken', uid: 'session' } } });
    expect(await other.signIn()).toMatchObject(leads);
    expect(other.interaction).not.toHaveProperty('session');
    expect(other.calls).toEqual([
      ['persist'],
      ['revoke', 'web'],
      ['destroy grant', 'web'],
      ['revoke', 'gone'],
      ['destroy session', 'session'],
    ]);
    const same = open({ interaction: { session: { accountId: hana, uid: 'session' } } });
    expect(await same.signIn()).toMatchObject(leads);
    expect(same.calls).toEqual([]);
  });
});

describe('the second step', () => {
  test('is kept for ten minutes after the password, and takes a code of the app', async () => {
    const { code } = await turnSecondStepOn();
    const { signIn, send, interaction, results, audited } = open();
    const page = await signIn();
    expect([page.status, page.text.includes('id="code"')]).toEqual([200, true]);
    const at = spaces.clock.now();
    expect(interaction.result).toEqual({ second: { userId: hana, epoch: 0, at } });
    expect([results, audited]).toEqual([[], []]);
    expect((await send()).text).toContain('id="code"');
    spaces.clock.advance(600_000);
    expect((await send()).text).toContain('id="password"');
    const late = await send({ code: code() });
    expect(late.text).toContain('id="password"');
    expect(results).toEqual([]);
    interaction.result = { second: { userId: hana, epoch: 0, at: spaces.clock.now() - 599_999 } };
    const done = await send({ code: code() });
    expect(done).toMatchObject(leads);
    expect(done.cookies).toHaveLength(1);
    expect(results).toEqual([
      { login: { accountId: hana, epoch: 0, remember: true, amr: ['pwd', 'otp', 'mfa'] } },
    ]);
    expect(await spaces.column('select second_step from known_device')).toEqual([true]);
    expect(await budgets()).not.toContain('second-step pair');
  });

  test('of a wrong code is recorded with the user, and after five the right one has to wait too', async () => {
    const { code } = await turnSecondStepOn();
    const { signIn, send, audited, results } = open();
    await signIn();
    for (let at = 0; at < 4; at++) expect((await send({ code: '000000' })).status).toBe(400);
    const fifth = await send({ code: '000000' });
    expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '30']);
    await expect.poll(() => audited.length).toBe(5);
    expect(audited[0]).toMatchObject({
      actor: { kind: 'person', userId: hana, name: 'Hana' },
      detail: 'code',
    });
    expect(spaces.logLines[0]).toMatchObject({ way: 'code', userId: hana });
    expect((await send({ code: code() })).status).toBe(429);
    expect(results).toEqual([]);
  });

  test('is spared the browser that asked for that', async () => {
    const { code } = await turnSecondStepOn();
    const { signIn, send } = open();
    await signIn();
    const done = await send({ code: code(), remember: 'yes' });
    expect(done.cookies[1]).toMatch(/^__Host-yagura_browser=/);
    const cookie = done.cookies[1]!.split(';')[0]!;
    const again = open();
    expect(await again.send({ email, password }, { headers: { cookie } })).toMatchObject(leads);
    expect((await open().send({ email, password }, { headers: { cookie: `${cookie}x` } })).text).toContain(
      'id="code"',
    );
  });

  test('by a recovery code is told to the user, one by the app is not', async () => {
    const { code, codes } = await turnSecondStepOn();
    const { signIn, send, notices } = open();
    await signIn();
    await send({ code: code() });
    expect(notices).toEqual([]);
    await signIn();
    expect(await send({ code: codes[0]! })).toMatchObject(leads);
    expect(notices).toEqual([[hana, 'en']]);
  });

  test('takes a passkey of that user for the challenge that was shown', async () => {
    await turnSecondStepOn();
    await spaces.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values ($1, $2, $3, 'Laptop', 'laptop', '\\x03', 0, false, now(), now())`,
      [spaces.here.nextId(), spaces.here.spaceId, hana],
    );
    const wrong = open();
    await wrong.signIn();
    expect(wrong.interaction.result).toMatchObject({ challenge: `challenge of ${hana}` });
    const refused = await wrong.send({ passkey: 'signed' });
    expect([refused.status, refused.text.includes('passkey-form')]).toEqual([400, true]);
    expect(wrong.calls.filter(([name]) => name === 'verify')).toEqual([
      [
        ...['verify', 'signed'],
        {
          challenge: { text: `challenge of ${hana}`, issuedAt: spaces.clock.now() },
          ...{ userId: hana, alone: false, language: 'en' },
        },
      ],
    ]);
    await expect.poll(() => wrong.audited.length).toBe(1);
    expect(wrong.audited[0]).toMatchObject({ actor: { userId: hana }, detail: 'passkey' });
    const right = open({ passkeys: { owner: hana } });
    await right.signIn();
    expect(await right.send({ passkey: 'signed' })).toMatchObject(leads);
    expect(right.results).toMatchObject([{ login: { amr: ['pwd', 'hwk', 'mfa'] } }]);
    const unasked = open({
      passkeys: { owner: hana },
      interaction: { result: { second: { userId: hana, epoch: 0, at: spaces.clock.now() } } },
    });
    expect((await unasked.send({ passkey: 'signed' })).status).toBe(400);
    expect(unasked.calls.map(([name]) => name)).not.toContain('verify');
    // Turned off meanwhile, two-step verification has no browser to remember.
    await right.signIn();
    await right.totp.disable(hana);
    const off = await right.send({ passkey: 'signed', remember: 'yes' });
    expect(off).toMatchObject({ ...leads, cookies: [expect.stringContaining('yagura_device=')] });
    await spaces.database.query('delete from passkey');
  });

  test('starts over when asked to, with nothing kept', async () => {
    await turnSecondStepOn();
    const { signIn, send, interaction } = open();
    await signIn();
    const again = await send({ restart: 'yes', code: '1' });
    expect(again.text).toContain('id="password"');
    expect([again.status, interaction.result]).toEqual([200, {}]);
  });
});

describe('a passkey alone', () => {
  test('is offered where the space has one, and signs its user in for the challenge that was shown', async () => {
    expect((await open().send()).text).not.toContain('passkey-form');
    const { send, interaction, results, calls } = open({ passkeys: { inUse: true, owner: hana } });
    expect((await send()).text).toContain('passkey-form');
    const issuedAt = spaces.clock.now();
    expect(interaction.result).toEqual({ challenge: 'challenge of null', challengedAt: issuedAt });
    spaces.clock.advance(1_000);
    expect(await send({ passkey: 'signed', email: '', password: '' })).toMatchObject(leads);
    expect(calls.at(-1)).toEqual([
      ...['verify', 'signed'],
      {
        challenge: { text: 'challenge of null', issuedAt },
        ...{ userId: null, alone: true, language: 'en' },
      },
    ]);
    expect(results).toEqual([
      { login: { accountId: hana, epoch: 0, remember: true, amr: ['hwk', 'user', 'mfa'] } },
    ]);
    const [left] = await spaces.column('select empty_at <= $1 from signin_budget', [
      new Date(spaces.clock.now()).toISOString(),
    ]);
    expect(left).toBe(true);
  });

  test('that is wrong or was not asked for is refused and recorded, and waits by address', async () => {
    const unasked = open({ passkeys: { owner: hana } });
    expect((await unasked.send({ passkey: 'signed' })).status).toBe(400);
    const { send, audited } = open({ passkeys: { inUse: true } });
    await send();
    expect((await send({ passkey: 'signed' })).status).toBe(400);
    await expect.poll(() => audited.length).toBe(1);
    expect(audited[0]).toMatchObject({ actor: { kind: 'guest' }, detail: 'passkey', outcome: 'failed' });
    await spaces.database.query('update signin_budget set wait_until = $1', [
      new Date(spaces.clock.now() + 1_500).toISOString(),
    ]);
    const waiting = await send({ passkey: 'signed' });
    expect([waiting.status, waiting.headers['retry-after'], audited.length]).toEqual([429, '2', 1]);
  });

  test('is no way in where passwords are off, nor is a password', async () => {
    const off = { context: { passwordsEnabled: false }, passkeys: { inUse: true, owner: hana } };
    for (const form of [{ passkey: 'signed' }, { email, password }] as Record<string, string>[]) {
      const { send, calls, results } = open(off);
      const page = await send(form);
      expect([page.status, results, calls]).toEqual([200, [], []]);
      expect(page.text).not.toMatch(/passkey-form|id="password"/);
    }
  });
});

describe('the external provider', () => {
  const progress = { state: 's', verifier: 'v', nonce: 'n', again: false };
  const go: ExternalOutcome = { kind: 'go', address: new URL('https://id.example/a'), external: progress };
  const gone = { status: 303, headers: { location: 'https://id.example/a' } };

  test.each<[string, object, boolean, object]>([
    ['?external=start', {}, false, {}],
    ['?external=other', {}, false, { prompt: 'select_account' }],
    ['?external=start', { prompt: 'login' }, true, { prompt: 'login' }],
    ['?external=other', { max_age: 0 }, true, { prompt: 'select_account login' }],
    ['?external=start', { login_hint: 'h'.repeat(255) }, false, { loginHint: 'h'.repeat(254) }],
    ['?external=start', { login_hint: 7 }, false, {}],
  ])('is asked at %s of %o', async (query, params, fresh, expected) => {
    const { send, calls, interaction } = open({ outcome: go, interaction: { params } });
    expect(await send(undefined, { query })).toMatchObject(gone);
    expect(calls[0]).toEqual(['begin', fresh, expected]);
    expect(interaction.result).toEqual({ external: progress });
  });

  test('is asked at once where passwords are off, unless there is something to show', async () => {
    const context = { passwordsEnabled: false };
    expect(await open({ outcome: go, context }).send()).toMatchObject(gone);
    const second = { userId: hana, at: spaces.clock.now() };
    for (const [options, request] of [
      [{ context }, { query: '?lng=ja' }],
      [{ context }, { method: 'HEAD' }],
      [{ context, interaction: { deviceCode: 'code' } }, {}],
      [{ context, interaction: { result: { second } } }, {}],
      [{}, {}],
      [{}, { method: 'HEAD', query: '?external=start' }],
    ] as const) {
      const { send, calls } = open({ outcome: go, ...options });
      expect((await send(undefined, request)).status).toBe(200);
      expect(calls.map(([name]) => name)).not.toContain('begin');
    }
    const none = open({ context });
    expect((await none.send(undefined, { query: '?external=start' })).status).toBe(200);
  });

  test('answers for the request that was kept, and its user is in with its token sealed', async () => {
    const { send, calls, results, context, interaction, audited } = open({
      outcome: { kind: 'in', userId: hana, epoch: 0, methods: ['fed'], idToken: 'token' },
      interaction: { result: { external: progress } },
    });
    expect(await send(undefined, { query: '?external=back&code=abc' })).toMatchObject(leads);
    expect(calls[0]).toEqual(['finish', 'abc', progress]);
    expect(audited[0]).toEqual({
      actor: { kind: 'server', userId: null, name: 'Company' },
      from: { address: '192.0.2.1', userAgent: expect.any(String) },
      ...{ action: 'edit', outcome: 'done', resource: 'user', resourceId: hana, after: { roles: [] } },
    });
    const [result] = results as [{ login: object; vouched: string }];
    expect(result.login).toEqual({ accountId: hana, epoch: 0, remember: true, amr: ['fed'] });
    expect(openIdToken(context.secret, Buffer.from(result.vouched, 'base64url'))).toBe('token');
    expect(interaction.result).toEqual({});
  });

  test('does not replace the second step, except by one of its own', async () => {
    const { code } = await turnSecondStepOn();
    const outcome = (methods: string[]) =>
      ({ kind: 'in', userId: hana, epoch: 0, methods, idToken: 'token' }) as const;
    const query = '?external=back';
    expect(await open({ outcome: outcome(['pwd', 'mfa']) }).send(undefined, { query })).toMatchObject(leads);
    const { send, results } = open({ outcome: outcome(['pwd']) });
    expect((await send(undefined, { query })).text).toContain('id="code"');
    expect(results).toEqual([]);
    expect(await send({ code: code() })).toMatchObject(leads);
    expect(results).toMatchObject([
      { login: { amr: ['pwd', 'otp', 'mfa'] }, vouched: expect.stringMatching(/^[\w-]+$/) },
    ]);
  });

  test('that leads to a link, a page or back to the client is followed, and refusals are recorded', async () => {
    const back = { query: '?external=back' };
    const link = open({ outcome: { kind: 'link', path: '/link-account?token=x' } });
    expect(await link.send(undefined, back)).toMatchObject({
      status: 303,
      headers: { location: '/link-account?token=x' },
    });
    expect(link.audited).toEqual([]);
    const page = open({
      outcome: { kind: 'page', page: { status: 409, headers: {}, text: 'Full' }, reason: 'full' },
    });
    expect(await page.send(undefined, back)).toMatchObject({ status: 409, text: 'Full' });
    await expect.poll(() => page.audited.length).toBe(1);
    expect(page.audited[0]).toMatchObject({ outcome: 'failed', detail: 'external full' });
    const refused = open({ outcome: { kind: 'refused', code: 'access_denied', description: 'Company' } });
    expect(await refused.send(undefined, back)).toMatchObject(leads);
    expect(refused.results).toEqual([{ error: 'access_denied', error_description: 'Company' }]);
    await expect.poll(() => refused.audited.length).toBe(1);
    expect(refused.audited[0]).toMatchObject({ detail: 'external access_denied' });
  });
});

describe('a request to the page', () => {
  test('of a user whose sessions have all ended since a passkey or the provider was accepted has expired', async () => {
    const byPasskey = open({ passkeys: { inUse: true, owner: hana, epoch: -1 } });
    await byPasskey.send();
    const by = { userId: hana, epoch: -1 };
    const byProvider = open({ outcome: { kind: 'in', ...by, methods: ['fed'], idToken: 'token' } });
    for (const reply of [
      await byPasskey.send({ passkey: 'signed' }),
      await byProvider.send(undefined, { query: '?external=back' }),
    ])
      expect([reply.status, reply.text.includes('Sign-in expired')]).toEqual([400, true]);
    expect([...byPasskey.results, ...byProvider.results]).toEqual([]);
  });

  test('of another sign-in, or of one that is over, says that it has expired', async () => {
    const other = await open().send(undefined, { uid: 'two' });
    const over = await open({ error: Object.assign(new Error('x'), { error: 'invalid_request' }) }).send();
    for (const { status, text } of [other, over])
      expect([status, text.includes('Sign-in expired')]).toEqual([400, true]);
    expect(spaces.logLines).toEqual([]);
  });

  test('that fails says so, and logs only faults', async () => {
    expect((await open({ error: new StoreUnavailable('gone') }).send()).status).toBe(503);
    expect(spaces.logLines).toEqual([]);
    const broken = await open({ error: new Error('broken') }).send();
    expect([broken.status, broken.destroyed]).toEqual([500, false]);
    expect(spaces.logLines).toMatchObject([
      { level: 'error', message: 'Sign-in page failed', error: 'broken' },
    ]);
    const late = await open({ error: new Error('broken') }).send(undefined, { headersSent: true });
    expect([late.status, late.destroyed]).toEqual([0, true]);
  });

  test('is GET, HEAD without the text, or POST, in the language that is chosen', async () => {
    const { send } = open();
    expect(await send(undefined, { method: 'PUT' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, POST' },
    });
    expect(await send(undefined, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const japanese = await send(undefined, { query: '?lng=ja' });
    expect(japanese.text).toContain('lang="ja"');
    expect(japanese.cookies).toEqual(['lng=ja; Path=/; Max-Age=31536000; SameSite=Lax; Secure']);
    expect((await send(undefined, { query: '?lng=xx' })).cookies).toEqual([]);
    const hinted = open({ interaction: { params: { login_hint: email, ui_locales: 'ja' } } });
    const { text, headers } = await hinted.send();
    expect([text.includes(`value="${email}"`), headers['content-language']]).toEqual([true, 'ja']);
    expect(headers['content-security-policy']).toContain("form-action 'self';");
  });

  test('for consent is granted to the console without a page', async () => {
    const { send, calls, results } = open({
      interaction: { prompt: { name: 'consent' }, session: { accountId: hana } },
    });
    expect(await send()).toMatchObject(leads);
    expect([calls, results]).toEqual([[], [{ consent: {} }]]);
  });
});
