// A statement that fails must fail the call that made it: nothing may be reported as done that is not stored.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTwoSpaces, requestWith, type TwoSpaces } from '../../test/support/two-spaces.ts';
import type { Database, Queryable } from '../db/database.ts';
import { createEmailChange } from './account-pages/change-email.ts';
import type { ExternalIdentity } from './external/mapped-claims.ts';
import { resolveAccount } from './external/resolve-account.ts';
import type { IdentityContext } from './identity-context.ts';
import { createPasskeys } from './mfa/passkeys.ts';
import { createTotp } from './mfa/totp.ts';
import { payloadAdapter, sweepPayloads } from './provider/payload-adapter.ts';
import { createAttemptLimit } from './sign-in/attempt-limit.ts';
import { createKnownDevices } from './sign-in/known-devices.ts';
import { createReauthenticate } from './sign-in/reauthentication.ts';
import { createSecurityNotice } from './sign-in/security-notice.ts';
import { createSignInLog } from './sign-in/sign-in-log.ts';
import { createSignInSessions } from './sign-in/sign-in-sessions.ts';
import { createApiTokens } from './tokens/api-tokens.ts';
import { createOneTimeTokens } from './tokens/one-time-tokens.ts';
import { createInvitations } from './users/invitations.ts';
import { createUserAccounts } from './users/user-accounts.ts';

let spaces: TwoSpaces;
let hana: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  hana = await spaces.addPerson(spaces.here, 'hana@example.com', { privileged: true });
}, 60_000);
afterAll(() => spaces.close());

/** The database, with a statement that fails, and the number of statements made so far. */
function failingAt(nth: number): { database: Database; made: () => number } {
  let made = 0;
  const count = (on: Queryable): Queryable => ({
    query: (...statement) => {
      made += 1;
      return made === nth ? Promise.reject(new Error('gone')) : on.query(...statement);
    },
  });
  const database = {
    ...count(spaces.database),
    transaction: (work: (tx: Queryable) => Promise<unknown>) =>
      spaces.database.transaction((tx) => work(count(tx))),
  } as unknown as Database;
  return { database, made: () => made };
}

let names = 0;
const newEmail = () => `person${++names}@example.com`;
const newPerson = () => spaces.addPerson(spaces.here, newEmail(), { privileged: true });
const adapter = (context: IdentityContext) =>
  payloadAdapter(context, 'Session', {
    usedTwice: () => new Error('twice'),
    ended: () => new Error('ended'),
  });
const code = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: spaces.clock.now() });
const mailed = () => String(spaces.mails.at(-1)!.params.link).split('token=')[1]!;
const res = { appendHeader: () => {} } as unknown as ServerResponse;
const issue = (userId: string) =>
  createOneTimeTokens(spaces.here).issue(spaces.database, {
    ...{ purpose: 'passkey', userId, lifetime: 60_000 },
  });
const invite = async (context: IdentityContext, email: string) =>
  (await context.database.transaction((tx) =>
    createInvitations(context).invite(
      tx,
      { userId: hana, displayName: 'Hana' },
      { email, roles: [], language: 'en' },
    ),
  ))!;
const external = (subject: string, email: string): ExternalIdentity => ({
  ...{ issuer: 'https://id.example', subject, email, emailVerified: true, displayName: null },
  ...{ privileged: undefined, roles: ['sonar:viewer'], methods: [] },
});
const subject = { purpose: 'password', account: 'x@example.com', address: '192.0.2.1' } as const;

async function signedIn(): Promise<string> {
  const grantId = `grant ${++names}`;
  await createSignInSessions(spaces.here).record({
    ...{ grantId, userId: hana, clientId: 'yagura-web', address: '', userAgent: '', language: 'en' },
  });
  await createSignInSessions(spaces.here).recordProof(grantId, true);
  return grantId;
}
async function withSecondStep() {
  const userId = await newPerson();
  const totp = createTotp(spaces.here);
  const { secret } = await totp.prepare(userId, 'x');
  return { userId, secret, totp };
}

/** Prepares a call and returns it; everything that it needs is there. */
type Prepare = () => Promise<(context: IdentityContext) => Promise<unknown>>;
const calls: Record<string, Prepare> = {
  'making a user': async () => (c) =>
    createUserAccounts({ ...c, maxUsers: 1_000 }).createUser({ email: newEmail(), displayName: 'X' }),
  'changing a user': async () => {
    const userId = await newPerson();
    return (c) => createUserAccounts(c).updateUser(userId, { disabled: true });
  },
  'setting a password': async () => {
    const userId = await newPerson();
    return (c) => createUserAccounts(c).setPassword(userId, 'Correct-horse-7');
  },
  'ending sessions': async () => {
    const userId = await newPerson();
    return (c) => createUserAccounts(c).endSessions(userId, c.database.transaction);
  },
  'removing a user': async () => {
    const userId = await newPerson();
    return (c) => createUserAccounts(c).removeUser(userId);
  },
  inviting: async () => (c) => invite(c, newEmail()),
  'sending an invitation again': async () => {
    const id = await invite(spaces.here, newEmail());
    return (c) =>
      c.database.transaction((tx) =>
        createInvitations(c).resend(tx, { userId: hana, displayName: 'Hana' }, id),
      );
  },
  'accepting an invitation': async () => {
    await invite(spaces.here, newEmail());
    const token = mailed();
    return (c) =>
      createInvitations({ ...c, maxUsers: 1_000 }).accept(token, { displayName: 'X', password: 'x' });
  },
  'deleting old invitations': async () => (c) => createInvitations(c).sweep(),
  'issuing a link': async () => (c) =>
    createOneTimeTokens(c).issue(c.database, { purpose: 'passkey', userId: hana, lifetime: 1 }),
  'revoking links': async () => (c) => createOneTimeTokens(c).revoke(c.database, hana, ['passkey']),
  'using a link': async () => {
    const token = await issue(hana);
    return (c) => createOneTimeTokens(c).redeem(c.database, 'passkey', token);
  },
  'deleting old links': async () => (c) => createOneTimeTokens(c).sweep(),
  'asking for another address': async () => {
    const userId = await newPerson();
    const to = newEmail();
    return (c) =>
      createEmailChange(c, {
        tokens: createOneTimeTokens(c),
        limit: createAttemptLimit(c),
      }).requestEmailChange(userId, { email: to, language: 'en' });
  },
  'setting up an app': async () => {
    const userId = await newPerson();
    return (c) => createTotp(c).prepare(userId, 'x');
  },
  'turning the second step on': async () => {
    const { userId, secret } = await withSecondStep();
    return (c) => createTotp(c).enable(userId, code(secret), 'wrong');
  },
  'turning the second step off': async () => {
    const { userId, secret, totp } = await withSecondStep();
    await totp.enable(userId, code(secret), 'wrong');
    return (c) => createTotp(c).disable(userId);
  },
  'making recovery codes': async () => {
    const { userId, secret, totp } = await withSecondStep();
    await totp.enable(userId, code(secret), 'wrong');
    return (c) => c.database.transaction((tx) => createTotp(c).regenerate(userId, tx));
  },
  'using a recovery code': async () => {
    const { userId, secret, totp } = await withSecondStep();
    const [first] = await totp.enable(userId, code(secret), 'wrong');
    return (c) => createTotp(c).check(userId, first!);
  },
  'remembering a browser': async () => (c) => createTotp(c).remember(hana),
  'forgetting browsers': async () => (c) => createTotp(c).forgetBrowsers(hana, c.database),
  'deleting old browsers': async () => (c) => createTotp(c).sweep(),
  'asking for a passkey': async () => (c) =>
    createPasskeys(c, { tokens: createOneTimeTokens(c), tellCopied: async () => {} }).creationOptions({
      ...{ userId: hana, email: 'x', displayName: 'X' },
    }),
  'knowing a browser': async () => (c) =>
    createKnownDevices(c).remember(
      { req: requestWith({ cookie: `__Host-yagura_device=${'x'.repeat(43)}` }), res },
      hana,
      { secondStep: true },
    ),
  'deleting known browsers': async () => (c) => createKnownDevices(c).sweep(),
  'recording a sign-in': async () => (c) =>
    createSignInSessions(c).record({
      ...{
        grantId: `g${++names}`,
        userId: hana,
        clientId: 'yagura-cli',
        address: '',
        userAgent: '',
        language: 'en',
      },
    }),
  'recording a proof': async () => {
    const grantId = await signedIn();
    return (c) => createSignInSessions(c).recordProof(grantId, true);
  },
  'using a proof': async () => {
    const grantId = await signedIn();
    return (c) => createSignInSessions(c).consumeProof(hana, grantId);
  },
  'ending a sign-in': async () => {
    const grantId = await signedIn();
    const [id] = await spaces.column('select sign_in_session_id from sign_in_session where grant_id = $1', [
      grantId,
    ]);
    return (c) => createSignInSessions(c).end(hana, String(id), c.database.transaction);
  },
  'deleting ended sign-ins': async () => (c) => createSignInSessions(c).sweep(),
  'counting an attempt': async () => (c) => createAttemptLimit(c).begin({ ...subject, address: newEmail() }),
  'taking an attempt back': async () => async (c) => {
    const { succeeded } = await createAttemptLimit(c).begin({ ...subject, account: newEmail() });
    await succeeded();
  },
  'clearing attempts': async () => (c) => createAttemptLimit(c).clear(c.database, 'password', 'x'),
  'deleting old attempts': async () => (c) => createAttemptLimit(c).sweep(),
  'proving who it is': async () => {
    const { userId, secret, totp } = await withSecondStep();
    const [first] = await totp.enable(userId, code(secret), 'wrong');
    return (c) =>
      createReauthenticate(c, {
        ...{ limit: createAttemptLimit(c), totp: createTotp(c), sessions: createSignInSessions(c) },
      })({ userId, grantId: 'grant' }, { code: first! }, ((key: string) => key) as never);
  },
  'telling of a change': async () => (c) =>
    createSecurityNotice(c, createUserAccounts(c))(hana, 'mfa-on', 'en'),
  'recording a success': async () => (c) =>
    createSignInLog(c, () => '').succeeded(requestWith({}) as IncomingMessage, {
      userId: hana,
      methods: ['pwd'],
    }),
  'storing for the provider': async () => (c) => adapter(c).upsert('id', { jti: 'id' }, 60),
  'using a code': async () => {
    await adapter(spaces.here).upsert(`id ${++names}`, { jti: 'id' }, 60);
    const id = `id ${names}`;
    return (c) => adapter(c).consume(id);
  },
  'deleting for the provider': async () => (c) => adapter(c).destroy('id'),
  'revoking a grant': async () => (c) => adapter(c).revokeByGrantId('id'),
  'deleting what has expired': async () => (c) => sweepPayloads(c),
  'making an API token': async () => (c) =>
    createApiTokens(c).createApiToken({
      principal: { userId: hana, claims: { privileged: true, roles: [] }, narrowed: false } as never,
      ...{ displayName: `token ${++names}`, roles: null, expiresAt: null },
    }),
  'setting the bootstrap token': async () => (c) => createApiTokens(c).ensureBootstrapToken('x'.repeat(32)),
  'removing an API token': async () => (c) => createApiTokens(c).removeApiToken(c.nextId()),
  'making a user of an external account': async () => {
    const email = newEmail();
    return (c) =>
      resolveAccount({ ...c, maxUsers: 1_000 }, createUserAccounts(c), external(email, email), {
        ...{ createUsers: true, record: () => {} },
      });
  },
  'letting an external account in': async () => {
    const email = newEmail();
    await spaces.addPerson(spaces.here, email);
    return (c) =>
      resolveAccount(c, createUserAccounts(c), external(email, email), {
        ...{ createUsers: false, record: () => {} },
      });
  },
};

test.each(Object.entries(calls))('%s fails with each of its statements', async (_name, prepare) => {
  for (let nth = 1; nth < 20; nth++) {
    const call = await prepare();
    const { database, made } = failingAt(nth);
    const done = call({ ...spaces.here, database });
    const outcome = await done.then(
      () => 'done',
      (error: Error) => error.message,
    );
    if (made() < nth) {
      expect(nth).toBeGreaterThan(1);
      expect(outcome).toBe('done');
      return;
    }
    expect(outcome, `statement ${nth}`).toBe('gone');
  }
  throw new Error('too many statements');
});

test('a mail that cannot be queued fails what it is about', async () => {
  const mail = { ...spaces.here.mail, queue: () => Promise.reject(new Error('no mail')) };
  const context = { ...spaces.here, mail };
  const email = newEmail();
  await expect(invite(context, email)).rejects.toThrow('no mail');
  expect(await spaces.column('select 1 from invitation where email = $1', [email])).toEqual([]);
  const id = await invite(spaces.here, email);
  await expect(
    spaces.database.transaction((tx) =>
      createInvitations(context).resend(tx, { userId: hana, displayName: 'X' }, id),
    ),
  ).rejects.toThrow('no mail');
  await expect(
    createSecurityNotice(context, createUserAccounts(context))(hana, 'mfa-on', 'en'),
  ).rejects.toThrow('no mail');
  const deps = { tokens: createOneTimeTokens(context), limit: createAttemptLimit(context) };
  await expect(
    createEmailChange(context, deps).requestEmailChange(hana, { email: newEmail(), language: 'en' }),
  ).rejects.toThrow('no mail');
  expect(
    await spaces.column(`select 1 from one_time_token where purpose = 'change-email' and user_id = $1`, [
      hana,
    ]),
  ).toEqual([]);
});
