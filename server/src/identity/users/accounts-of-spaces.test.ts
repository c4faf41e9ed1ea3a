import { en } from '@yagura/core/i18n/en/all';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { translateProblem } from '../../common/translatable-problem.ts';
import type { ExternalIdentity } from '../external/mapped-claims.ts';
import { type AccountChange, linkAccount, resolveAccount } from '../external/resolve-account.ts';
import type { IdentityContext } from '../identity-context.ts';
import { payloadAdapter } from '../provider/payload-adapter.ts';
import { createSecurityNotice } from '../sign-in/security-notice.ts';
import { verifyCredentials } from '../sign-in/verify-credentials.ts';
import { ensureInitialAdmin } from './initial-admin.ts';
import { createInvitations } from './invitations.ts';
import { createUserAccounts, type UserAccounts } from './user-accounts.ts';

const password = 'Correct-horse-7';
let spaces: TwoSpaces;
let users: UserAccounts;
let others: UserAccounts;
let admin: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  users = createUserAccounts(spaces.here);
  others = createUserAccounts(spaces.elsewhere);
}, 60_000);
afterAll(() => spaces.close());
beforeEach(async () => {
  admin = await spaces.addPerson(spaces.here, 'admin@example.com', { privileged: true });
});
afterEach(async () => {
  for (const table of ['person', 'oidc_payload', 'invitation'])
    await spaces.database.query(`delete from ${table}`);
});

const epochs = () => spaces.column('select token_epoch from person order by user_id');
const grants = () => spaces.column('select id from oidc_payload order by id');
const addGrant = (context: IdentityContext, id: string, accountId: string) =>
  payloadAdapter(context, 'Grant', {
    usedTwice: () => new Error('twice'),
    ended: () => new Error('ended'),
  }).upsert(id, { accountId }, 3_600);

describe('the sessions of a user', () => {
  let hana: string;
  let ken: string;
  let stranger: string;
  beforeEach(async () => {
    hana = await spaces.addPerson(spaces.here, 'hana@example.com');
    ken = await spaces.addPerson(spaces.here, 'ken@example.com');
    stranger = await spaces.addPerson(spaces.elsewhere, 'hana@example.com');
    for (const [id, context, owner] of [
      ['hana', spaces.here, hana],
      ['ken', spaces.here, ken],
      ['stranger', spaces.elsewhere, stranger],
    ] as const) {
      await addGrant(context, id, owner);
      await spaces.database.query(
        `insert into known_device (space_id, user_id, token_hash, second_step, expires_at, created_at)
         values ($1, $2, '\\x01', false, now(), now())`,
        [context.spaceId, owner],
      );
    }
  });
  const devices = () => spaces.column('select user_id from known_device order by user_id');

  test('end without those of anybody else, and the cached credentials are forgotten', async () => {
    const before = spaces.cleared();
    await others.endSessions(hana, spaces.database.transaction);
    expect(await grants()).toEqual(['hana', 'ken', 'stranger']);
    await users.endSessions(hana, spaces.database.transaction);
    expect(await grants()).toEqual(['ken', 'stranger']);
    expect(await epochs()).toEqual([0, 1, 0, 0]);
    expect(spaces.cleared()).toBe(before + 2);
    await users.endSessions('no id', spaces.database.transaction);
    expect(await epochs()).toEqual([0, 1, 0, 0]);
  });

  test('end when they are disabled, not when they are enabled again or get other powers', async () => {
    await users.updateUser(hana, { roles: ['sonar:viewer'] });
    expect(await epochs()).toEqual([0, 0, 0, 0]);
    await users.updateUser(hana, { disabled: true });
    expect(await epochs()).toEqual([0, 1, 0, 0]);
    expect(await grants()).toEqual(['ken', 'stranger']);
    await users.updateUser(hana, { disabled: true, displayName: 'Still' });
    await users.updateUser(hana, { disabled: false });
    expect(await epochs()).toEqual([0, 1, 0, 0]);
  });

  test('end with a new password, which also forgets the browsers of that user alone', async () => {
    expect(await others.setPassword(hana, 'Purple-lantern-42-boat')).toBe(false);
    await expect(users.setPassword(hana, 'short')).rejects.toMatchObject({
      invalidParams: [{ name: 'password' }],
    });
    expect(await devices()).toEqual([hana, ken, stranger]);
    expect(await users.setPassword(hana, 'Purple-lantern-42-boat')).toBe(true);
    expect(await devices()).toEqual([ken, stranger]);
    expect(await grants()).toEqual(['ken', 'stranger']);
    expect(await spaces.column('select user_id from person where password_hash is not null')).toEqual([hana]);
  });

  test('end with their removal, which leaves everybody else', async () => {
    expect(await others.removeUser(hana)).toBe(false);
    expect(await users.removeUser('no id')).toBe(false);
    const before = spaces.cleared();
    expect(await users.removeUser(hana)).toBe(true);
    expect(spaces.cleared()).toBe(before + 1);
    expect(await grants()).toEqual(['ken', 'stranger']);
    expect(await spaces.column('select user_id from person order by user_id')).toEqual([
      admin,
      ken,
      stranger,
    ]);
    expect(await users.removeUser(hana)).toBe(false);
  });
});

describe('a change of a user', () => {
  test('touches that user of that space, and only what it names', async () => {
    const hana = await spaces.addPerson(spaces.here, 'hana@example.com', { roles: ['sonar:viewer'] });
    await spaces.addPerson(spaces.here, 'ken@example.com');
    spaces.clock.advance(1_000);
    expect(await others.updateUser(hana, { displayName: 'Taken' })).toBeNull();
    const before = spaces.cleared();
    expect(await users.updateUser(hana, { displayName: 'Hana S', email: undefined })).toMatchObject({
      email: 'hana@example.com',
      displayName: 'Hana S',
      roles: ['sonar:viewer'],
    });
    expect(spaces.cleared()).toBe(before + 1);
    expect(await spaces.column('select display_name from person order by user_id')).toEqual([
      'admin',
      'Hana S',
      'ken',
    ]);
    const [changed] = await spaces.column('select updated_at > created_at from person where user_id = $1', [
      hana,
    ]);
    expect(changed).toBe(true);
  });

  test('is refused as a whole when the guard objects to the user as they are', async () => {
    const seen: string[] = [];
    const changing = users.updateUser(admin, { displayName: 'Other' }, (before) => {
      seen.push(before.displayName);
      throw new Error('stop');
    });
    await expect(changing).rejects.toThrow('stop');
    expect(seen).toEqual(['admin']);
    expect(await spaces.column('select display_name from person')).toEqual(['admin']);
  });

  test('takes power from a privileged user only while another of the space has it', async () => {
    await spaces.addPerson(spaces.elsewhere, 'boss@example.com', { privileged: true });
    const second = await spaces.addPerson(spaces.here, 'second@example.com', {
      privileged: true,
      disabled: true,
    });
    await spaces.addPerson(spaces.here, 'third@example.com');
    const last = en['users.last-privileged'];
    for (const work of [
      () => users.updateUser(admin, { privileged: false }),
      () => users.updateUser(admin, { disabled: true }),
      () => users.removeUser(admin),
    ])
      await expect(work()).rejects.toMatchObject({
        ...{ kind: 'conflict', detail: last },
        text: { word: 'users.last-privileged' },
      });
    // Somebody who is disabled has no power to lose.
    expect(await users.updateUser(second, { privileged: false })).toMatchObject({ privileged: false });
    await users.updateUser(second, { privileged: true, disabled: false });
    expect(await users.removeUser(admin)).toBe(true);
    await expect(users.removeUser(second)).rejects.toMatchObject({ detail: last });
  });
});

describe('a new user', () => {
  test('fits up to the limit of the price plan, which counts the users of its own space', async () => {
    await spaces.addPerson(spaces.elsewhere, 'one@example.com');
    const limited = createUserAccounts({ ...spaces.here, maxUsers: 2 });
    await limited.createUser({ email: 'two@example.com', displayName: 'Two' });
    const refused = await limited
      .createUser({ email: 'three@example.com', displayName: 'Three' })
      .catch((error) => error);
    expect(refused).toMatchObject({ kind: 'conflict', detail: 'The price plan allows at most 2 users' });
    const inJapanese = translateProblem(refused, await loadTranslator('ja'));
    expect(inJapanese.detail).toBe('料金プランのユーザー数の上限は2人です');
  });

  test('is found by id or address in their space alone', async () => {
    expect(await users.findUser({ email: ' ADMIN@example.com ' })).toMatchObject({ userId: admin });
    expect(await users.findUser(admin)).toMatchObject({ email: 'admin@example.com', hasPassword: false });
    expect(await others.findUser({ email: 'admin@example.com' })).toBeNull();
    expect(await others.findUser(admin)).toBeNull();
  });

  test('may have the longest name and address there are, and no longer ones', async () => {
    const make = (letters: number, name: number) =>
      users.createUser({
        email: `${'a'.repeat(60)}@${Array.from({ length: 4 }, () => 'b'.repeat(46)).join('.')}.${'c'.repeat(letters)}`,
        displayName: 'n'.repeat(name),
      });
    expect((await make(5, 100)).email).toHaveLength(254);
    await expect(make(6, 100)).rejects.toMatchObject({ invalidParams: [{ name: 'email' }] });
    await expect(make(4, 101)).rejects.toMatchObject({ invalidParams: [{ name: 'displayName' }] });
  });

  test('whose password names them is refused', async () => {
    const make = (given: string) =>
      users.createUser({ email: 'fumiko@example.com', displayName: 'Natsume', password: given });
    for (const given of ['Fumiko-12345', 'Natsume-12345'])
      await expect(make(given)).rejects.toMatchObject({ invalidParams: [{ name: 'password' }] });
    expect(await make(password)).toMatchObject({ hasPassword: true });
  });

  test('signs in with the password in their space, unless they are disabled', async () => {
    const { userId } = await users.createUser({ email: 'yui@example.com', displayName: 'Yui', password });
    const check = (context: IdentityContext, given: string) =>
      verifyCredentials(context, 'YUI@example.com', given);
    expect(await check(spaces.here, password)).toEqual({ userId, epoch: 0 });
    expect(await check(spaces.here, `${password}x`)).toBeNull();
    expect(await check(spaces.elsewhere, password)).toBeNull();
    await users.updateUser(userId, { disabled: true });
    expect(await check(spaces.here, password)).toBeNull();
  });
});

describe('the first administrator', () => {
  test('is made once in each space, and is the first privileged user where there are several', async () => {
    const ensure = (context: IdentityContext, from: UserAccounts, given?: string) =>
      ensureInitialAdmin(context, from, { email: 'root@example.com', password: given });
    await spaces.database.query(`update person set privileged = false`);
    spaces.clock.advance(1);
    await spaces.addPerson(spaces.here, 'later@example.com', { privileged: true });
    expect(await ensure(spaces.here, users)).toEqual({ created: false, email: 'later@example.com' });
    expect(await ensure(spaces.elsewhere, others, password)).toEqual({
      created: true,
      email: 'root@example.com',
    });
    expect(await verifyCredentials(spaces.elsewhere, 'root@example.com', password)).not.toBeNull();
    expect(await ensure(spaces.elsewhere, others, password)).toEqual({
      created: false,
      email: 'root@example.com',
    });
  });

  test('of another replica that was faster is left alone', async () => {
    await spaces.database.query('delete from person');
    const faster: UserAccounts = {
      ...users,
      async createUser(input) {
        await users.createUser({ email: 'root@example.com', displayName: 'Other' });
        return users.createUser(input);
      },
    };
    expect(await ensureInitialAdmin(spaces.here, faster, { email: 'root@example.com' })).toEqual({
      created: false,
      email: 'root@example.com',
    });
    const broken = { ...users, createUser: () => Promise.reject(new Error('broken')) };
    await spaces.database.query('delete from person');
    await expect(ensureInitialAdmin(spaces.here, broken, { email: 'x@example.com' })).rejects.toThrow(
      'broken',
    );
  });
});

test('a notice of a change goes to the user in their language, with the time and the page to act on', async () => {
  const hana = await spaces.addPerson(spaces.here, 'hana@example.com');
  const notify = createSecurityNotice(spaces.here, users);
  spaces.mails.length = 0;
  await notify(hana, 'passkey-copied', 'en', { passkey: 'Laptop' });
  await notify('01990000-0000-7000-8000-000000000000', 'mfa-on', 'en');
  expect(spaces.mails).toEqual([
    {
      kind: 'security-changed',
      to: 'hana@example.com',
      language: 'en',
      params: {
        name: 'hana',
        space: 'here',
        time: new Date(spaces.clock.now()).toISOString().slice(0, 16).replace('T', ' '),
        change: expect.stringContaining('Laptop'),
        link: 'https://here.example/change-password',
      },
    },
  ]);
});

describe('an account of the external provider', () => {
  const identity: ExternalIdentity = {
    ...{ issuer: 'https://id.example', subject: 'one', email: 'hana@example.com', emailVerified: true },
    ...{ displayName: 'Hana', privileged: undefined, roles: undefined, methods: [] },
  };
  const recorded: AccountChange[] = [];
  beforeEach(() => {
    recorded.length = 0;
  });
  const resolve = (more: Partial<ExternalIdentity> = {}, context = spaces.here, createUsers = false) =>
    resolveAccount(
      context,
      createUserAccounts(context),
      { ...identity, ...more },
      { createUsers, record: (change) => void recorded.push(change) },
    );
  const linkTo = (userId: string, more: { issuer?: string; subject?: string } = {}, context = spaces.here) =>
    spaces.database.transaction((tx) =>
      linkAccount(context, tx, { issuer: 'https://id.example', subject: 'one', userId, ...more }),
    );

  test('is the user to whom issuer and subject are linked in the space, whatever the address', async () => {
    const hana = await spaces.addPerson(spaces.here, 'hana@example.com');
    await linkTo(hana);
    spaces.clock.advance(5_000);
    expect(await resolve({ email: null, emailVerified: false })).toEqual({
      state: 'in',
      userId: hana,
      epoch: 0,
    });
    const used = await spaces.column('select last_used_at > created_at from person_link');
    expect(used).toEqual([true]);
    for (const other of [{ issuer: 'https://other.example' }, { subject: 'two' }])
      expect(await resolve({ ...other, email: 'x@example.com' })).toEqual({ state: 'unknown' });
    expect(await resolve({}, spaces.elsewhere)).toEqual({ state: 'unknown' });
    await users.updateUser(hana, { disabled: true });
    expect(await resolve()).toEqual({ state: 'disabled' });
  });

  test('is linked anew to whoever proved it last', async () => {
    const hana = await spaces.addPerson(spaces.here, 'hana@example.com');
    await linkTo(admin);
    await linkTo(hana);
    expect(await spaces.column('select user_id from person_link')).toEqual([hana]);
  });

  test('needs the proof of a user who has any credential of their own', async () => {
    const hana = await spaces.addPerson(spaces.here, 'hana@example.com');
    const proof = { state: 'link', userId: hana };
    await linkTo(hana, { subject: 'another' });
    expect(await resolve({ emailVerified: false })).toEqual(proof);
    await spaces.database.query('delete from person_link');
    await spaces.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values ($1, $2, $3, 'Laptop', 'laptop', '\\x03', 0, false, now(), now())`,
      [spaces.here.nextId(), spaces.here.spaceId, hana],
    );
    expect(await resolve()).toEqual(proof);
    await spaces.database.query('delete from passkey');
    await users.setPassword(hana, password);
    expect(await resolve()).toEqual(proof);
  });

  test('becomes that of a user without credentials once its address is verified, whoever else has some', async () => {
    const hana = await spaces.addPerson(spaces.here, 'Hana@example.com');
    await linkTo(admin, { subject: 'admin' });
    await users.setPassword(admin, password);
    await spaces.addPerson(spaces.elsewhere, 'hana@example.com');
    expect(await resolve({ emailVerified: false })).toEqual({ state: 'unverified' });
    expect(await resolve({ email: null })).toEqual({ state: 'no-address' });
    expect(await spaces.column(`select 1 from person_link where subject = 'one'`)).toEqual([]);
    expect(await resolve()).toEqual({ state: 'in', userId: hana, epoch: 0 });
    expect(await resolve({ email: null })).toEqual({ state: 'in', userId: hana, epoch: 0 });
    expect(recorded).toEqual([{ action: 'link-account', userId: hana }]);
  });

  test('makes a user of whoever is invited to the space, until the moment at which the invitation expires', async () => {
    const invite = (context: IdentityContext, email: string) =>
      spaces.database.transaction((tx) =>
        createInvitations(context).invite(
          tx,
          { userId: admin, displayName: 'A' },
          { email, roles: ['sonar:viewer'], language: 'en' },
        ),
      );
    await invite(spaces.elsewhere, 'hana@example.com');
    expect(await resolve()).toEqual({ state: 'unknown' });
    await invite(spaces.here, 'HANA@example.com');
    await invite(spaces.here, 'other@example.com');
    spaces.clock.advance(7 * 86_400_000 - 1);
    expect(await resolve({ emailVerified: false })).toEqual({ state: 'unverified' });
    expect(await resolve({ displayName: null })).toMatchObject({ state: 'in' });
    const made = {
      ...{ email: 'hana@example.com', displayName: 'hana@example.com' },
      ...{ privileged: false, roles: ['sonar:viewer'] },
    };
    expect(recorded).toEqual([{ action: 'create', userId: expect.any(String), after: made }]);
    expect(await users.findUser({ email: 'hana@example.com' })).toMatchObject({
      displayName: 'hana@example.com',
      roles: ['sonar:viewer'],
    });
    expect(await spaces.column('select email from invitation where accepted_at is not null')).toEqual([
      'HANA@example.com',
    ]);
    spaces.clock.advance(1);
    expect(await resolve({ subject: 'two', email: 'other@example.com' })).toEqual({ state: 'unknown' });
    expect(await resolve({ subject: 'two', email: 'other@example.com' }, spaces.here, true)).toMatchObject({
      state: 'in',
    });
  });

  test('leaves the invitation open while the price plan has no room', async () => {
    const context = { ...spaces.here, maxUsers: 1 };
    await spaces.database.transaction((tx) =>
      createInvitations(context).invite(
        tx,
        { userId: admin, displayName: 'A' },
        { email: 'hana@example.com', roles: [], language: 'en' },
      ),
    );
    expect(await resolve({}, context)).toEqual({ state: 'full' });
    expect(recorded).toEqual([]);
    expect(await spaces.column('select accepted_at from invitation')).toEqual([null]);
    expect(await resolve({}, { ...context, maxUsers: 2 })).toMatchObject({ state: 'in' });
  });

  test('sets what the provider manages and nothing else, except that one privileged user stays', async () => {
    const hana = await spaces.addPerson(spaces.here, 'hana@example.com', { roles: ['greac:user'] });
    await linkTo(hana);
    const now = () => users.findUser(hana);
    const updated = async () => (await now())!.updatedAt;
    const first = await updated();
    spaces.clock.advance(1_000);
    await resolve();
    await resolve({ privileged: false, roles: ['greac:user'] });
    expect(await updated()).toEqual(first);
    expect(recorded).toEqual([]);
    await resolve({ privileged: true });
    expect(recorded).toEqual([
      {
        ...{ action: 'edit', userId: hana },
        before: { privileged: false, roles: ['greac:user'] },
        after: { privileged: true, roles: ['greac:user'] },
      },
    ]);
    expect(await now()).toMatchObject({ privileged: true, roles: ['greac:user'] });
    await resolve({ roles: ['sonar:viewer'] });
    expect(await now()).toMatchObject({ privileged: true, roles: ['sonar:viewer'] });
    await users.removeUser(admin);
    spaces.logLines.length = 0;
    await resolve({ privileged: false, roles: ['greac:auditor'] });
    expect(await now()).toMatchObject({ privileged: true, roles: ['greac:auditor'] });
    expect(spaces.logLines).toMatchObject([{ level: 'warn', userId: hana }]);
    recorded.length = 0;
    await resolve({ privileged: false });
    expect(await now()).toMatchObject({ privileged: true, roles: ['greac:auditor'] });
    expect(recorded).toEqual([]);
  });
});
