// Users cannot grant or revoke roles they do not have, by any means, nor change accounts with more
// permissions than their own.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const users = '/api/space/users';
const groups = '/api/space/user-groups';

describe('an administrator of the space', () => {
  let server: TestServer;
  let owner: ApiCall;
  let helper: ApiCall;
  let self: string;
  let helperRoles: string[];
  let number = 0;

  beforeAll(async () => {
    server = (await startTestServer())!;
    owner = createApiCall(await server.signedIn('privileged'));
    const person = await server.signedIn(['space:administrator', 'sonar:viewer']);
    helper = createApiCall(person);
    self = person.userId;
    helperRoles = ['space:administrator', 'sonar:viewer'];
  });
  afterAll(() => server?.stop());

  const user = async (roles: string[] = []) => {
    const email = `given${++number}@example.org`;
    const made = await owner('POST', users, { displayName: `given ${number}`, email, roles });
    expect(made.status, made.text).toBe(201);
    return made.data as { userId: string; email: string; roles: string[] };
  };
  const group = async (roles: string[]) => {
    const made = await owner('POST', groups, { displayName: `group ${++number}`, remarks: '', roles });
    expect(made.status, made.text).toBe(201);
    return (made.data as { userGroupId: string }).userGroupId;
  };
  const refused = (role: string, field = 'roles') => ({
    status: 403,
    type: 'application/problem+json',
    data: { detail: expect.stringContaining(role), invalidParams: [{ name: field }] },
  });

  test('gives no role that they lack: to themselves, to a user, by an invitation, by a group', async () => {
    const role = 'greac:auditor';
    expect(await helper('PATCH', `${users}/${self}`, { roles: [...helperRoles, role] })).toMatchObject(
      refused(role),
    );
    const { userId, email } = await user();
    expect(await helper('PATCH', `${users}/${userId}`, { roles: [role] })).toMatchObject(refused(role));
    const whole = { displayName: 'x', email, roles: [role], disabled: false };
    expect(await helper('PUT', `${users}/${userId}`, whole)).toMatchObject(refused(role));
    const invitation = { email: 'invited@example.org', roles: [role], language: 'en' };
    expect(await helper('POST', `${users}/invitations`, invitation)).toMatchObject(refused(role));
    expect(await helper('POST', groups, { displayName: 'new', remarks: '', roles: [role] })).toMatchObject(
      refused(role),
    );
    const own = await group(['sonar:viewer']);
    expect(await helper('PATCH', `${groups}/${own}`, { roles: ['sonar:viewer', role] })).toMatchObject(
      refused(role),
    );
    for (const path of [`${users}/${self}`, `${users}/${userId}`, `${groups}/${own}`])
      expect(JSON.stringify((await owner('GET', path)).data)).not.toContain(role);
    expect((await owner('GET', `${users}/invitations`)).data).toMatchObject({ total: 0 });
  });

  test('gives nothing by an invitation of before once they lack it, which the list says', async () => {
    const person = await server.signedIn(['space:administrator', 'sonar:administrator']);
    const input = { email: 'kept@example.org', roles: ['sonar:viewer'], language: 'en' };
    const made = await createApiCall(person)('POST', `${users}/invitations`, input);
    expect(made).toMatchObject({ status: 201, data: { status: 'pending' } });
    const { invitationId } = made.data as { invitationId: string };
    const reduced = await owner('PATCH', `${users}/${person.userId}`, { roles: ['space:administrator'] });
    expect(reduced.status).toBe(200);
    const list = async () => (await owner('GET', `${users}/invitations`)).data;
    expect(await list()).toMatchObject({ items: [{ invitationId, status: 'expired' }] });
    expect((await helper('POST', `${users}/invitations/${invitationId}/resend`)).status).toBe(200);
    const { items } = (await list()) as { items: object[] };
    expect(items).toMatchObject([{ status: 'pending' }]);
    expect(items[0]).not.toHaveProperty('isGiven');
    expect((await owner('DELETE', `${users}/invitations/${invitationId}`)).status).toBe(200);
  });

  test('gives what they hold, also what a wider role of theirs covers', async () => {
    const { userId } = await user();
    const given = await helper('PATCH', `${users}/${userId}`, {
      roles: ['sonar:viewer', 'space:administrator'],
    });
    expect(given).toMatchObject({ status: 200, data: { roles: ['sonar:viewer', 'space:administrator'] } });
    const wide = createApiCall(await server.signedIn(['space:administrator', 'alerthub:administrator']));
    expect(
      (
        await wide('PATCH', `${users}/${userId}`, {
          roles: ['sonar:viewer', 'space:administrator', 'alerthub:viewer'],
        })
      ).status,
    ).toBe(200);
  });

  test('takes no role away that they lack, and leaves it where they change something else', async () => {
    const { userId } = await user(['greac:auditor', 'sonar:viewer']);
    expect(await helper('PATCH', `${users}/${userId}`, { roles: ['sonar:viewer'] })).toMatchObject(
      refused('greac:auditor'),
    );
    const changed = await helper('PATCH', `${users}/${userId}`, {
      roles: ['greac:auditor'],
      displayName: 'still',
    });
    expect(changed).toMatchObject({ status: 200, data: { roles: ['greac:auditor'], displayName: 'still' } });
    const more = await group(['greac:auditor']);
    expect(await helper('PATCH', `${groups}/${more}`, { roles: [] })).toMatchObject(refused('greac:auditor'));
    expect(await helper('DELETE', `${groups}/${more}`)).toMatchObject(refused('greac:auditor'));
    expect((await owner('GET', `${groups}/${more}`)).data).toMatchObject({ roles: ['greac:auditor'] });
  });

  test('enables no account that may do more, by its own roles or those of a group', async () => {
    const own = await user(['greac:auditor']);
    const inheriting = await user();
    const more = await group(['greac:auditor']);
    expect(
      (await owner('POST', `${groups}/${more}/add-users`, { userIds: [inheriting.userId] })).status,
    ).toBe(200);
    for (const { userId } of [own, inheriting]) {
      expect((await owner('PATCH', `${users}/${userId}`, { disabled: true })).status).toBe(200);
      expect(await helper('PATCH', `${users}/${userId}`, { displayName: 'still' })).toMatchObject({
        status: 200,
        data: { disabled: true },
      });
      expect(await helper('PATCH', `${users}/${userId}`, { disabled: false })).toMatchObject(
        refused('greac:auditor', 'disabled'),
      );
      expect((await owner('GET', `${users}/${userId}`)).data).toMatchObject({ disabled: true });
    }
    const { userId } = await user(['sonar:viewer']);
    for (const disabled of [true, false])
      expect(await helper('PATCH', `${users}/${userId}`, { disabled })).toMatchObject({ status: 200 });
  });

  test('brings nobody into a group with more, nor out of it, themselves neither', async () => {
    const more = await group(['pigeon:operator', 'sonar:viewer']);
    for (const call of ['add-users', 'delete-users'])
      expect(await helper('POST', `${groups}/${more}/${call}`, { userIds: [self] })).toMatchObject(
        refused('pigeon:operator', 'userIds'),
      );
    expect((await owner('GET', `${groups}/${more}`)).data).toMatchObject({ members: [] });
    const same = await group(['sonar:viewer']);
    expect((await helper('POST', `${groups}/${same}/add-users`, { userIds: [self] })).status).toBe(200);
  });

  test('sends no invitation again that gives more', async () => {
    const made = await owner('POST', `${users}/invitations`, {
      email: 'again@example.org',
      roles: ['greac:auditor'],
      language: 'en',
    });
    const { invitationId } = made.data as { invitationId: string };
    expect(await helper('POST', `${users}/invitations/${invitationId}/resend`)).toMatchObject(
      refused('greac:auditor'),
    );
    expect((await owner('POST', `${users}/invitations/${invitationId}/resend`)).status).toBe(200);
  });

  test('narrowed to one role by an API token gives that one alone', async () => {
    const made = await owner('POST', '/api/space/api-tokens', {
      displayName: 'narrow',
      roles: ['space:administrator'],
    });
    const { token } = made.data as { token: string };
    const narrow = createApiCall({
      fetch,
      origin: server.origin,
      headers: () => ({ 'x-authorization': `Token ${token}` }),
    });
    const own = await narrow('GET', '/api/space/current-api-token');
    expect(own.data).toMatchObject({
      displayName: 'narrow',
      privileged: false,
      roles: ['space:administrator'],
      expiresAt: null,
    });
    const { userId } = await user();
    expect(await narrow('PATCH', `${users}/${userId}`, { roles: ['sonar:viewer'] })).toMatchObject(
      refused('sonar:viewer'),
    );
    expect((await narrow('PATCH', `${users}/${userId}`, { roles: ['space:administrator'] })).status).toBe(
      200,
    );
  });

  test('is named as the owner of their API tokens', async () => {
    const made = await owner('POST', '/api/space/api-tokens', { displayName: 'owned' });
    const { displayName } = (await owner('GET', '/api/internal/profile')).data as { displayName: string };
    expect(made.data).toMatchObject({ owner: displayName });
    const filter = encodeURIComponent('displayName eq "owned"');
    expect((await owner('GET', `/api/space/api-tokens?filter=${filter}`)).data).toMatchObject({
      items: [{ owner: displayName }],
    });
  });

  test('invites with each role once', async () => {
    const invitation = { email: 'twice@example.org', roles: ['sonar:viewer', 'sonar:viewer'] };
    const made = await helper('POST', `${users}/invitations`, invitation);
    expect(made).toMatchObject({ status: 201, data: { roles: ['sonar:viewer'] } });
  });

  test('makes no API token with an empty list of roles, which could do nothing', async () => {
    const reply = await owner('POST', '/api/space/api-tokens', { displayName: 'powerless', roles: [] });
    expect(reply).toMatchObject({ status: 400, data: { invalidParams: [{ name: 'roles' }] } });
  });

  test('is answered in their language', async () => {
    const { userId } = await user();
    const reply = await helper(
      'PATCH',
      `${users}/${userId}`,
      { roles: ['greac:user'] },
      { headers: { 'accept-language': 'ja' } },
    );
    expect(reply.data).toMatchObject({
      detail: 'ロール greac:user を持っていないため、付与も解除もできません',
    });
  });

  describe('moves the address', () => {
    test('of nobody while there is no mail server; a privileged user does', async () => {
      const { userId } = await user();
      const change = { email: 'direct@example.org' };
      expect(await helper('PATCH', `${users}/${userId}`, change)).toMatchObject(
        refused('mail server', 'email'),
      );
      expect((await owner('PATCH', `${users}/${userId}`, change)).data).toMatchObject(change);
    });

    describe('with a mail server', () => {
      beforeAll(() => server.restart({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'console@example.com' }));
      beforeEach(async () => {
        owner = createApiCall(await server.signedIn('privileged'));
        helper = createApiCall(await server.signedIn(['space:administrator', 'sonar:viewer']));
      });

      test('of no account that may do more than they may, by its own roles or those of a group', async () => {
        const { userId } = await user(['greac:auditor']);
        const change = { email: 'mine@example.org' };
        expect(await helper('PATCH', `${users}/${userId}`, change)).toMatchObject(
          refused('greac:auditor', 'email'),
        );
        const other = await user();
        const more = await group(['pigeon:administrator']);
        await owner('POST', `${groups}/${more}/add-users`, { userIds: [other.userId] });
        expect(await helper('PATCH', `${users}/${other.userId}`, change)).toMatchObject(
          refused('pigeon:administrator', 'email'),
        );
        expect((await owner('GET', `${users}/${userId}`)).data).toMatchObject({ pendingEmail: null });
      });

      test.each(['an administrator', 'a privileged user'])(
        'by %s only once it is confirmed, and tells the old one at once',
        async (who) => {
          const { userId, email } = await user();
          const wanted = `new-${userId}@example.org`;
          const reply = await (who === 'an administrator' ? helper : owner)('PATCH', `${users}/${userId}`, {
            email: wanted,
            displayName: 'Renamed',
          });
          expect(reply).toMatchObject({
            status: 200,
            data: { email, pendingEmail: wanted, displayName: 'Renamed' },
          });
          const { rows } = await server.services.database.query<{ kind: string; recipient: string }>(
            'select kind, recipient from outgoing_mail where recipient = any($1) order by kind',
            [[email, wanted]],
          );
          expect(rows).toEqual([
            { kind: 'change-email', recipient: wanted },
            { kind: 'email-change-asked', recipient: email },
          ]);
        },
      );

      test('of another user, only if nobody has the new one, which is refused with the whole edit', async () => {
        const [one, other] = [await user(), await user()];
        const reply = await helper('PATCH', `${users}/${one.userId}`, {
          ...{ email: other.email.toUpperCase(), displayName: 'Renamed' },
        });
        expect(reply).toMatchObject({ status: 409, data: { invalidParams: [{ name: 'email' }] } });
        expect((await owner('GET', `${users}/${one.userId}`)).data).toMatchObject({
          pendingEmail: null,
          displayName: expect.not.stringContaining('Renamed'),
        });
      });

      test('with what was before and what is asked for in the audit log', async () => {
        const { userId, email } = await user();
        const wanted = `asked-${userId}@example.org`;
        await helper('PATCH', `${users}/${userId}`, { email: wanted });
        const filter = encodeURIComponent(`action eq "edit" and resourceId eq "${userId}"`);
        expect((await owner('GET', `/api/space/audit-records?filter=${filter}`)).data).toMatchObject({
          items: [{ before: { email, pendingEmail: null }, after: { email, pendingEmail: wanted } }],
        });
      });

      test('of their own in the profile alone, where the password is asked for', async () => {
        const reply = await helper('PATCH', `${users}/${self}`, { email: 'self@example.org' });
        expect(reply).toMatchObject(refused('profile', 'email'));
        const change = '/api/internal/profile/change-email';
        expect((await helper('POST', change, { email: 'self@example.org' })).status).toBe(400);
      });
    });
  });
});
