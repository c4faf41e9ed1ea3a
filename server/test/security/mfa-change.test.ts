// Changes to the second factor require the second factor: a password alone can neither remove nor bypass it.
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { password } from '../support/identity-server.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const mfa = '/api/internal/profile/mfa';
const passkeys = '/api/internal/profile/passkeys';

describe('once two-step verification is on', () => {
  let server: TestServer;
  let callApi: ApiCall;
  let userId: string;
  let codes: string[];
  const passkeyId = '0190a0a0-7777-7000-8000-000000000042';

  async function turnOn(): Promise<void> {
    const { secret } = (await callApi('POST', `${mfa}/prepare`, { password })).data as { secret: string };
    const on = await callApi('PUT', mfa, { enabled: true, code: new TOTP({ secret }).generate() });
    expect(on.status, on.text).toBe(200);
    codes = (on.data as { recoveryCodes: string[] }).recoveryCodes;
  }

  beforeAll(async () => {
    server = (await startTestServer())!;
    const person = await server.signedIn(['pigeon:operator']);
    callApi = createApiCall(person);
    userId = person.userId;
    await turnOn();
    await server.services.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values ($1, $2, $3, 'Laptop', 'laptop', '\x03', 0, false, now(), now())`,
      [passkeyId, server.services.spaceId, userId],
    );
  });
  afterAll(() => server?.stop());

  const isOn = async () =>
    (await callApi('GET', mfa)).data as { enabled: boolean; recoveryCodesLeft: number };
  const changes: [string, (proof: object) => ReturnType<ApiCall>][] = [
    ['turning it off', (proof) => callApi('PUT', mfa, { enabled: false, ...proof })],
    ['new recovery codes', (proof) => callApi('POST', `${mfa}/regenerate-recovery-code`, proof)],
    ['a new passkey', (proof) => callApi('POST', `${passkeys}/prepare`, proof)],
    ['the removal of a passkey', (proof) => callApi('POST', `${passkeys}/${passkeyId}/remove`, proof)],
  ];

  test('a name for a passkey is checked before the factors are, and before a device creates the passkey', async () => {
    const prepare = (displayName: string) => callApi('POST', `${passkeys}/prepare`, { displayName });
    const named = (name: string) => ({ data: { invalidParams: [expect.objectContaining({ name })] } });
    expect(await prepare('laptop')).toMatchObject({ status: 409, ...named('displayName') });
    expect(await prepare(' ')).toMatchObject({ status: 400, ...named('displayName') });
    expect(await prepare('Phone')).toMatchObject({ status: 400, ...named('code') });
  });

  test.each(changes)('%s takes neither the password alone nor a code alone', async (_name, change) => {
    const before = await isOn();
    for (const [proof, name] of [
      [{}, 'code'],
      [{ password }, 'code'],
      [{ code: codes[0] }, 'password'],
      [{ password: 'Wrong-horse-7', code: codes[0] }, 'password'],
      [{ password, code: 'aaaaa-aaaaa' }, 'code'],
    ] as const)
      expect(await change(proof), JSON.stringify(proof)).toMatchObject({
        status: 400,
        data: { invalidParams: [{ name }] },
      });
    // A rejected attempt consumes no code and changes nothing.
    expect(await isOn()).toEqual(before);
    await server.services.database.query('delete from signin_budget');
  });

  test.each(changes.slice(1))('%s is done with both', async (_name, change) => {
    const reply = await change({ password, code: codes.pop() });
    expect(reply.status, reply.text).toBe(200);
    const { recoveryCodes } = (reply.data ?? {}) as { recoveryCodes?: string[] };
    if (recoveryCodes) codes = recoveryCodes;
  });

  test('a sign-in made anew counts instead when it went by the second step, with a code beside it otherwise', async () => {
    const prove = (strong: boolean) =>
      server.services.database.query(
        `update sign_in_session set proved_until = now() + interval '5 minutes', proved_by_second_step = $2 where user_id = $1`,
        [userId, strong],
      );
    await prove(false);
    expect(await callApi('PUT', mfa, { enabled: false })).toMatchObject({
      status: 400,
      data: { invalidParams: [{ name: 'code' }] },
    });
    expect((await callApi('PUT', mfa, { enabled: false, code: codes.pop() })).data).toMatchObject({
      enabled: false,
    });
    await turnOn();
    await prove(true);
    expect((await callApi('GET', mfa)).data).toMatchObject({ provedBySecondStep: true });
    expect((await callApi('PUT', mfa, { enabled: false })).data).toMatchObject({ enabled: false });
  });

  test('the password and a code turn it off', async () => {
    await turnOn();
    const off = await callApi('PUT', mfa, { enabled: false, password, code: codes[3] });
    expect(off.data).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
  });

  test('who guesses at a session that was left open waits there, longer each time', async () => {
    await turnOn();
    const guess = () => callApi('PUT', mfa, { enabled: false, password: 'Wrong-horse-7', code: codes[0] });
    const statuses = [];
    for (let at = 0; at < 6; at++) statuses.push((await guess()).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    expect(Number((await guess()).headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
