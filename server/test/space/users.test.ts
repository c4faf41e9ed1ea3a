// Users and permissions: roles from groups apply at once, privilege escalation is impossible, and the plan's
// user limit holds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemBody } from '@yagura/core/http/problem';
import { en } from '@yagura/core/i18n/en/all';
import { ja } from '@yagura/core/i18n/ja/all';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { listenToChanges } from '../support/change-listener.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { password } from '../support/identity-server.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const inside = '/api/internal/space/users';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  let owner: Awaited<ReturnType<TestServer['signedIn']>>;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    owner = await server.signedIn('privileged');
    admin = createApiCall(owner);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const make = async (path: string, body: object) => {
    const reply = await admin('POST', path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as { userId: string; userGroupId: string };
  };
  const user = (name: string, roles: string[] = []) =>
    make('/api/space/users', { displayName: name, email: `${name}@example.org`, roles });
  const group = (displayName: string, roles: string[]) =>
    make('/api/space/user-groups', { displayName, roles });

  test('a role of a group counts from the next call on, and no longer after leaving', async () => {
    const member = await server!.signedIn(['greac:auditor']);
    const callApi = createApiCall(member);
    expect((await callApi('GET', '/api/apps/alerthub/rules')).status).toBe(403);
    const { userGroupId } = await group('watch', ['alerthub:viewer']);
    const members = `/api/space/user-groups/${userGroupId}`;
    await admin('POST', `${members}/add-users`, { userIds: [member.userId, member.userId] });
    expect((await callApi('GET', '/api/apps/alerthub/rules')).status).toBe(200);
    expect((await callApi('GET', '/api/internal/profile')).data).toMatchObject({
      roles: ['greac:auditor', 'alerthub:viewer'],
    });
    const inherited = await admin('GET', `${inside}/${member.userId}/roles-from-user-groups`);
    expect(inherited.data).toEqual({
      roles: ['alerthub:viewer'],
      items: [{ role: 'alerthub:viewer', origins: [{ userGroupId, displayName: 'watch' }] }],
    });
    expect((await admin('GET', `/api/space/users/${member.userId}/user-groups`)).data).toMatchObject({
      total: 1,
      items: [{ userGroupId, members: [member.userId], numberOfMembers: 1 }],
    });
    expect((await admin('GET', `${members}/users?limit=1000`)).data).toMatchObject({
      items: [{ userId: member.userId }],
    });
    await admin('PATCH', members, { roles: ['pigeon:operator'] });
    expect((await callApi('GET', '/api/apps/alerthub/rules')).status).toBe(403);
    await admin('PATCH', members, { roles: ['alerthub:viewer'] });
    await admin('POST', `${members}/delete-users`, { userIds: [member.userId] });
    expect((await callApi('GET', '/api/apps/alerthub/rules')).status).toBe(403);
    await admin('POST', `${members}/add-users`, { userIds: [member.userId] });
    expect((await admin('DELETE', members)).status).toBe(200);
    expect((await callApi('GET', '/api/apps/alerthub/rules')).status).toBe(403);
  });

  test('somebody who is not there becomes no member, and nobody else does with them', async () => {
    const { userGroupId } = await group('half', []);
    const { userId } = await user('half');
    const userIds = [userId, '0190a0a0-0000-7000-8000-000000000000'];
    const reply = await admin('POST', `/api/space/user-groups/${userGroupId}/add-users`, { userIds });
    expect(reply.data).toMatchObject({ invalidParams: [{ name: 'userIds.1' }] });
    expect(reply.status).toBe(400);
    const shown = await admin('GET', `/api/space/user-groups/${userGroupId}`);
    expect(shown.data).toMatchObject({ members: [] });
  });

  test('says what somebody may do, and why', async () => {
    const { userId } = await user('why', ['alerthub:viewer']);
    const { powers, roles } = (await admin('GET', `${inside}/${userId}/powers`)).data as {
      powers: { permission: string; allowed: boolean; roles: string[] }[];
      roles: unknown;
    };
    expect(roles).toEqual([{ role: 'alerthub:viewer', origins: [{ userGroupId: null, displayName: null }] }]);
    const about = (permission: string) => powers.find((power) => power.permission === permission);
    expect(about('alerthub:rules:list')).toMatchObject({ allowed: true, roles: ['alerthub:viewer'] });
    expect(about('alerthub:rules:delete')).toMatchObject({
      allowed: false,
      roles: ['alerthub:administrator'],
    });
  });

  test('changes of one user at the same time are all kept, and of those with the same If-Match the first', async () => {
    const { userId } = await user('many');
    const path = `/api/space/users/${userId}`;
    for (let round = 0; round < 10; round++) {
      const change = { displayName: `many ${round}`, disabled: round % 2 === 0 };
      const { displayName, disabled } = change;
      await Promise.all([admin('PATCH', path, { disabled }), admin('PATCH', path, { displayName })]);
      const shown = await admin('GET', path);
      expect(shown.data).toMatchObject(change);
      const guarded = { headers: { 'if-match': shown.etag! } };
      const replies = await Promise.all(
        ['one', 'two'].map((displayName) => admin('PATCH', path, { displayName }, guarded)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    }
  });

  test('an invitation to the address of a user is refused in the language of the caller', async () => {
    const { userId } = await user('known');
    const email = 'KNOWN@example.org';
    const reasons = [];
    for (const [caller, mail] of [
      ['en', 'ja'],
      ['ja', 'en'],
    ]) {
      const headers = { 'accept-language': caller! };
      const input = { email, roles: [], language: mail };
      const refused = await admin('POST', '/api/space/users/invitations', input, { headers });
      expect(refused).toMatchObject({ status: 409, data: { invalidParams: [{ name: 'email' }] } });
      reasons.push((refused.data as ProblemBody).invalidParams![0]!.reason);
    }
    expect(reasons).toEqual([en['card.taken'], ja['card.taken']]);
    expect((await admin('DELETE', `/api/space/users/${userId}`)).status).toBe(200);
  });

  test('a taken address and a taken token name are refused in the language of the caller', async () => {
    await user('taken');
    const headers = { 'accept-language': 'ja' };
    const reason = ja['rule.keyExists'];
    for (const [path, input, name] of [
      ['/api/space/users', { displayName: 'T', email: 'TAKEN@example.org', roles: [] }, 'email'],
      ['/api/space/api-tokens', { displayName: 'nightly', roles: null, expiresAt: null }, 'displayName'],
    ] as const) {
      await admin('POST', path, input);
      const refused = await admin('POST', path, input, { headers });
      expect(refused).toMatchObject({ status: 409, data: { invalidParams: [{ name, reason }] } });
      expect(refused.text).not.toContain('"detail"');
    }
  });

  test('the deletion of an invitation is announced', async () => {
    const listener = await listenToChanges(server!, await server!.signedIn(['space:administrator']));
    const invite = async (name: string) => {
      const reply = await admin('POST', '/api/space/users/invitations', { email: `${name}@example.org` });
      expect(reply.status, reply.text).toBe(201);
      return (reply.data as { invitationId: string }).invitationId;
    };
    const first = await invite('first');
    expect((await admin('DELETE', `/api/space/users/invitations/${first}`)).status).toBe(200);
    const last = await invite('last');
    await listener.until(({ id }) => id === last);
    const told = listener.changes.filter(({ resource }) => resource === 'invitation');
    expect(told).toMatchObject([
      { op: 'create', id: first },
      { op: 'delete', id: first },
      { op: 'create', id: last },
    ]);
    await listener.close();
  });

  test('the last privileged user stays so, and nobody removes themselves', async () => {
    expect((await admin('POST', `${inside}/${owner.userId}/demote`)).status).toBe(409);
    expect((await admin('DELETE', `/api/space/users/${owner.userId}`)).status).toBe(409);
    const self = await admin('PATCH', `/api/space/users/${owner.userId}`, { disabled: true });
    expect(self.status).toBe(409);
    const { userId } = await user('second');
    expect((await admin('POST', `${inside}/${userId}/promote`)).data).toMatchObject({ privileged: true });
    expect((await admin('POST', `${inside}/${userId}/demote`)).data).toMatchObject({ privileged: false });
  });

  test('an administrator of the space neither promotes nor touches the privileged', async () => {
    const helper = createApiCall(await server!.signedIn(['space:administrator']));
    const { userId } = await user('plain');
    expect((await helper('POST', `${inside}/${userId}/promote`)).status).toBe(403);
    expect((await helper('PATCH', `/api/space/users/${userId}`, { displayName: 'new' })).status).toBe(200);
    const mine = `/api/space/users/${owner.userId}`;
    expect((await helper('PATCH', mine, { email: 'taken@example.org' })).status).toBe(403);
    expect((await helper('DELETE', mine)).status).toBe(403);
    const forged = await helper('PATCH', `/api/space/users/${userId}`, { privileged: true });
    expect(forged.data).toMatchObject({ privileged: false });
  });

  test('somebody is signed out everywhere by an administrator, a privileged user by the privileged alone', async () => {
    const helper = createApiCall(await server!.signedIn(['space:administrator']));
    const person = await server!.signedIn(['pigeon:operator']);
    const own = createApiCall(person);
    const path = '/api/apps/pigeon/contacts';
    expect((await own('GET', path)).status).toBe(200);
    expect((await helper('POST', `${inside}/${owner.userId}/end-sessions`)).status).toBe(403);
    expect((await admin('GET', path)).status).toBe(200);
    expect((await helper('POST', `${inside}/${person.userId}/end-sessions`)).status).toBe(200);
    expect((await own('GET', path)).status).toBe(401);
    expect((await createApiCall(server!.transportAs(['pigeon:operator']))('GET', path)).status).toBe(200);
  });

  test('a passkey is removed by whoever shows again who they are, and only their own', async () => {
    const other = createApiCall(await server!.signedIn(['sonar:viewer']));
    const person = await server!.signedIn(['greac:auditor']);
    const passkeyId = '0190a0a0-7777-7000-8000-000000000001';
    await server!.services.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values ($1, $2, $3, 'Laptop', 'laptop', '\\x03', 0, false, now(), now()) on conflict do nothing`,
      [passkeyId, server!.services.spaceId, person.userId],
    );
    const path = `/api/internal/profile/passkeys/${passkeyId}`;
    const own = createApiCall(person);
    expect((await own('DELETE', path)).status).toBe(404);
    const rename = { displayName: 'Laptop 2' };
    expect((await own('PUT', path, rename, { headers: { 'if-match': '"stale"' } })).status).toBe(412);
    const listener = await listenToChanges(server!, person);
    expect((await own('PUT', path, rename)).status).toBe(200);
    await listener.until(({ resource }) => resource === 'passkey');
    expect(listener.changes).toMatchObject([{ resource: 'passkey', id: person.userId, op: 'update' }]);
    await listener.close();
    for (const [proof, name] of [
      [{}, 'password'],
      [{ password: 'Wrong-horse-7' }, 'password'],
      [{ code: '000000' }, 'code'],
    ] as const)
      expect(await own('POST', `${path}/remove`, proof)).toMatchObject({
        status: 400,
        data: { invalidParams: [{ name }] },
      });
    expect((await other('POST', `${path}/remove`, { password })).status).toBe(404);
    expect((await own('POST', `${path}/remove`, { password })).status).toBe(200);
    expect((await own('GET', '/api/internal/profile/passkeys')).data).toMatchObject({ items: [] });
  });

  test('sign-ins are ended without more while two-step verification is off, and by the password once it is on', async () => {
    const member = await server!.signedIn(['pigeon:operator']);
    const callApi = createApiCall(member);
    const sessions = '/api/internal/profile/sessions';
    const other = await server!.signedIn(['pigeon:operator']);
    const { userId } = member;
    const { services } = server!;
    const list = async () =>
      (
        (await callApi('GET', `${sessions}?limit=100`)).data as {
          items: { signInSessionId: string; current: boolean }[];
        }
      ).items;
    expect((await callApi('GET', '/api/internal/profile/mfa')).data).toMatchObject({
      hasPassword: true,
      provedUntil: null,
    });
    const spare = (await list()).find(({ current }) => !current)!;
    expect((await callApi('POST', `${sessions}/${spare.signInSessionId}/end`, {})).status).toBe(200);
    expect((await createApiCall(other)('GET', '/api/internal/profile')).status).toBe(401);
    await services.database.query(
      `insert into person_totp (user_id, space_id, sealed, created_at, enabled_at) values ($2, $1, '\\x00', now(), now())`,
      [services.spaceId, userId],
    );
    const [own] = await list();
    for (const path of [`${own!.signInSessionId}/end`, 'end-all']) {
      for (const body of [{}, { password: 'Wrong-horse-7' }]) {
        const refused = await callApi('POST', `${sessions}/${path}`, body);
        expect(refused).toMatchObject({ status: 400, data: { invalidParams: [{ name: 'password' }] } });
      }
    }
    expect((await callApi('POST', `${sessions}/end-all`, { password })).status).toBe(200);
    expect((await callApi('GET', '/api/internal/profile')).status).toBe(401);
  });

  test('with a user go their tokens, sessions and memberships', async () => {
    const member = await server!.signedIn(['sonar:viewer']);
    const callApi = createApiCall(member);
    const made = await callApi('POST', '/api/space/api-tokens', { displayName: 'theirs' });
    expect(made.status).toBe(403);
    const { identity } = server!.services;
    const { token } = await identity.createApiToken({
      principal: {
        ...member,
        spaceId: server!.services.spaceId,
        kind: 'person',
        email: '',
        displayName: '',
        claims: { privileged: false, roles: ['sonar:viewer'] },
        narrowed: false,
      },
      displayName: 'theirs',
      roles: null,
      expiresAt: null,
    });
    const { userGroupId } = await group('left', []);
    await admin('POST', `/api/space/user-groups/${userGroupId}/add-users`, { userIds: [member.userId] });
    expect((await admin('GET', `${inside}/${member.userId}/belongings`)).data).toMatchObject({
      apiTokens: ['theirs'],
      userGroups: ['left'],
      sessions: expect.any(Number),
    });
    expect((await admin('DELETE', `/api/space/users/${member.userId}`)).status).toBe(200);
    expect((await callApi('GET', '/api/internal/profile')).status).toBe(401);
    const byToken = createApiCall({ ...member, headers: () => ({ 'x-authorization': `Token ${token}` }) });
    expect((await byToken('GET', '/api/tasks')).status).toBe(401);
    expect((await admin('GET', `/api/space/user-groups/${userGroupId}`)).data).toMatchObject({ members: [] });
  });
});

test('the price plan bounds how many users there are, and its tickets are told', async () => {
  const { folder, remove } = createDataFolder();
  const path = join(folder, 'contract.json');
  const pricePlan = { pricePlanId: 'two', displayName: 'Two', maxUsers: 2 };
  const tickets = [{ ticketId: 'only', displayName: 'Only' }];
  writeFileSync(path, JSON.stringify({ subscription: { pricePlan, tickets } }));
  const server = (await startTestServer({ env: { YAGURA_CONTRACT_FILE: path } }))!;
  const callApi = createApiCall(await server.signedIn('privileged'));
  const add = (name: string) =>
    callApi('POST', '/api/space/users', { displayName: name, email: `${name}@example.org` });
  expect((await callApi('GET', '/api/contract/subscriptions?limit=1')).data).toMatchObject({
    items: [{ basic: { pricePlanId: 'two' }, tickets: [{ ticketId: 'only' }] }],
  });
  expect((await callApi('GET', '/api/contract/price-plans/two')).data).toEqual({
    pricePlanId: 'two',
    displayName: 'Two',
  });
  expect((await callApi('GET', '/api/contract/price-plans/two/tickets/only')).data).toEqual(tickets[0]);
  expect((await callApi('GET', '/api/contract/price-plans/other/tickets/only')).status).toBe(404);
  const replies = await Promise.all(['a', 'b', 'c'].map(add));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect((await callApi('GET', '/api/internal/space/max-users')).data).toEqual({ maxUsers: 2, users: 2 });
  await server.stop();
  remove();
});
