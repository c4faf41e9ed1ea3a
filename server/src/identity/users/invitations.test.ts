// What an invitation gives depends on what its inviter may give when it is accepted.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { resolveAccount } from '../external/resolve-account.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createUserAccounts, type UserAccounts } from './user-accounts.ts';

let spaces: TwoSpaces;
let users: UserAccounts;
let invitations: Invitations;
let number = 0;

beforeAll(async () => {
  spaces = await openTwoSpaces();
  users = createUserAccounts(spaces.here);
  invitations = createInvitations(spaces.here);
  await spaces.addPerson(spaces.here, 'owner@example.com', { privileged: true });
}, 60_000);
afterAll(() => spaces.close());
beforeEach(() => {
  spaces.mails.length = 0;
});

const roles = ['space:administrator', 'sonar:administrator'];
const addInviter = (more: { roles?: string[]; privileged?: boolean } = { roles }) =>
  spaces.addPerson(spaces.here, `inviter${++number}@example.com`, more);

async function invite(userId: string, given: string[]) {
  const email = `invited${++number}@example.com`;
  const invitationId = (await spaces.database.transaction((tx) =>
    invitations.invite(tx, { userId, displayName: 'X' }, { email, roles: given, language: 'en' }),
  ))!;
  return { email, invitationId, token: tokenAt(-1) };
}
const tokenAt = (at: number) => String(spaces.mails.at(at)!.params.link).split('token=')[1]!;
const accept = (token: string) =>
  invitations.accept(token, { displayName: 'New', password: 'Purple-lantern-42-boat' });
const enterByProvider = (email: string, createUsers: boolean) =>
  resolveAccount(
    spaces.here,
    users,
    {
      ...{ issuer: 'https://id.example', subject: email, email, emailVerified: true, displayName: null },
      ...{ privileged: undefined, roles: undefined, methods: [] },
    },
    { createUsers, record: () => {} },
  );
const rolesOf = async (email: string) => (await users.findUser({ email }))?.roles;
const setGroupRoles = async (userId: string, given: string[]) => {
  const { database, here } = spaces;
  const [id, now] = [here.nextId(), new Date(here.clock.now()).toISOString()];
  await database.query(
    `insert into resource (id, space_id, kind, body, created_at, updated_at)
     values ($1, $2, 'user-group', $3, $4, $4)`,
    [id, here.spaceId, JSON.stringify({ displayName: `group ${id}`, roles: given }), now],
  );
  await database.query(
    'insert into user_group_member (space_id, user_group_id, user_id, joined_at) values ($1, $2, $3, $4)',
    [here.spaceId, id, userId, now],
  );
};

test.each([
  [
    'lost one of its roles',
    ['sonar:viewer'],
    (id: string) => users.updateUser(id, { roles: roles.slice(0, 1) }),
  ],
  ['may no longer invite', ['sonar:viewer'], (id: string) => users.updateUser(id, { roles: roles.slice(1) })],
  ['may no longer invite, without roles', [], (id: string) => users.updateUser(id, { roles: [] })],
  ['was disabled', ['sonar:viewer'], (id: string) => users.updateUser(id, { disabled: true })],
  ['was deleted', [], (id: string) => users.removeUser(id)],
])('an invitation ends when its inviter %s, until somebody else sends it again', async (_, given, lose) => {
  const inviter = await addInviter();
  const first = await invite(inviter, given);
  const second = await invite(inviter, given);
  expect(await invitations.findByToken(first.token)).toMatchObject({ state: 'good' });
  await lose(inviter);
  expect(await invitations.findByToken(first.token)).toEqual({ state: 'expired' });
  expect(await accept(first.token)).toEqual({ state: 'expired' });
  expect(await enterByProvider(second.email, false)).toEqual({ state: 'unknown' });
  expect(await rolesOf(first.email)).toBeUndefined();
  expect(await rolesOf(second.email)).toBeUndefined();

  const by = { userId: await addInviter(), displayName: 'Y' };
  for (const { invitationId } of [first, second])
    expect(await spaces.database.transaction((tx) => invitations.resend(tx, by, invitationId))).toBe(true);
  expect(await enterByProvider(second.email, false)).toMatchObject({ state: 'in' });
  expect(await rolesOf(second.email)).toEqual(given);
  expect(await accept(tokenAt(-2))).toMatchObject({ email: first.email });
  expect(await rolesOf(first.email)).toEqual(given);
});

test('a provider that creates users gives none of the roles of an invitation that has ended so', async () => {
  const inviter = await addInviter();
  const { email } = await invite(inviter, ['sonar:viewer']);
  await users.updateUser(inviter, { roles: [] });
  expect(await enterByProvider(email, true)).toMatchObject({ state: 'in' });
  expect(await rolesOf(email)).toEqual([]);
});

test('privileges and roles of groups count as those of the inviter', async () => {
  const privileged = await addInviter({ privileged: true });
  const member = await addInviter({ roles: [] });
  await setGroupRoles(member, roles);
  for (const inviter of [privileged, member]) {
    const { token, email } = await invite(inviter, ['sonar:administrator']);
    expect(await accept(token)).toMatchObject({ email });
  }
  const { token } = await invite(privileged, ['greac:auditor']);
  await users.updateUser(privileged, { privileged: false });
  expect(await accept(token)).toEqual({ state: 'expired' });
});
