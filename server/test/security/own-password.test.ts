// A signed-in user changes their password: with the present one, without a mail server, and ends all sign-ins by it.
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { password } from '../support/identity-server.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const path = '/api/internal/profile/change-password';
const newPassword = 'Purple-lantern-42-boat';

describe('the password of a signed-in user', () => {
  let server: TestServer;
  let callApi: ApiCall;
  let userId: string;

  beforeAll(async () => {
    server = (await startTestServer())!;
    const person = await server.signedIn(['pigeon:operator']);
    callApi = createApiCall(person);
    userId = person.userId;
  });
  afterAll(() => server?.stop());

  const hash = async () =>
    (
      await server.services.database.query<{ hash: string }>(
        'select password_hash as hash from person where user_id = $1',
        [userId],
      )
    ).rows[0]!.hash;

  test.each([
    ['the present one is missing', { newPassword }, 'password'],
    ['the present one is wrong', { newPassword, password: 'Wrong-horse-7' }, 'password'],
    ['the new one is missing', { password }, 'newPassword'],
    ['the new one is short', { newPassword: 'Ab-1', password }, 'newPassword'],
    ['the new one is common', { newPassword: 'Password1234!', password }, 'newPassword'],
  ])('stays as it is when %s', async (_name, body, name) => {
    const before = await hash();
    expect(await callApi('POST', path, body)).toMatchObject({
      status: 400,
      data: { invalidParams: [{ name }] },
    });
    expect(await hash()).toBe(before);
    await server.services.database.query('delete from signin_budget');
  });

  test('is refused in the language of the user', async () => {
    const body = { newPassword: 'Ab-1', password };
    const reply = await callApi('POST', path, body, { headers: { 'accept-language': 'ja' } });
    expect(reply.data).toMatchObject({ invalidParams: [{ reason: '12文字以上で入力してください' }] });
  });

  test('takes a code beside it where there is a second step, which a refusal does not use up', async () => {
    const person = await server.signedIn(['sonar:viewer']);
    const callOther = createApiCall(person);
    const mfa = '/api/internal/profile/mfa';
    const { secret } = (await callOther('POST', `${mfa}/prepare`, { password })).data as { secret: string };
    const on = await callOther('PUT', mfa, { enabled: true, code: new TOTP({ secret }).generate() });
    const [code] = (on.data as { recoveryCodes: string[] }).recoveryCodes;
    for (const [body, name] of [
      [{ newPassword, password }, 'code'],
      [{ newPassword, code }, 'password'],
      [{ newPassword: 'Ab-1', password, code }, 'newPassword'],
    ] as const)
      expect(await callOther('POST', path, body)).toMatchObject({ data: { invalidParams: [{ name }] } });
    const done = await callOther('POST', path, { newPassword, password, code });
    expect(done.status, done.text).toBe(200);
  });

  test('is changed, ends all sign-ins, is told by mail and recorded without either password', async () => {
    const before = await hash();
    const done = await callApi('POST', path, { newPassword, password });
    expect(done.status, done.text).toBe(200);
    expect(await hash()).not.toBe(before);
    expect((await callApi('GET', '/api/internal/profile')).status).toBe(401);
    const { rows } = await server.services.database.query<{ kind: string }>(
      `select m.kind from outgoing_mail m join person p on lower(p.email) = lower(m.recipient) where p.user_id = $1`,
      [userId],
    );
    expect(rows).toEqual([{ kind: 'password-changed' }]);
    const owner = createApiCall(await server.signedIn('privileged'));
    const filter = encodeURIComponent(`action eq "change-password" and actorId eq "${userId}"`);
    const record = await owner('GET', `/api/space/audit-records?filter=${filter}`);
    expect(record.data).toMatchObject({ items: [{ outcome: 'done', resource: 'profile' }] });
    for (const secret of [password, newPassword]) expect(record.text).not.toContain(secret);
  });
});
