// An account in the hands of somebody with its session and password, and its owner with the mailbox.
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Browser,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { isoTime } from '../../common/clock.ts';

const better = 'Purple-lantern-42-boat';
const email = 'owner@example.com';
const thief = 'thief@example.com';
let server: IdentityServer;
let userId: string;
let addresses = 0;

beforeAll(async () => {
  server = (await startIdentityServer())!;
}, 60_000);
afterAll(() => server.close());
beforeEach(async () => {
  server.address = `203.0.113.${++addresses}`;
  if (userId) await server.identity.removeUser(userId);
  ({ userId } = await server.identity.createUser({ email, displayName: 'Owner', password }));
  server.mails.length = 0;
});

const change = () => server.identity.requestEmailChange(userId, { email: thief, language: 'en' });
const linkTo = (to: string, path: string) => {
  const mail = server.mails.find(
    (one) => one.to === to && String(one.params.link).includes(`/${path}?token=`),
  );
  return String(mail!.params.link).slice(server.publicUrl.length);
};
async function use(link: string, form: Record<string, string> = {}) {
  const browser = new Browser();
  return browser.submit(await browser.visit(server.publicUrl + link), form);
}
async function requestReset(address: string) {
  const browser = new Browser();
  await browser.submit(await browser.visit(`${server.publicUrl}/change-password`), { email: address });
  await server.settled();
}
const statusOf = async (link: string) => (await new Browser().visit(server.publicUrl + link)).status;
const newPassword = { password: better, repeat: better };
const person = () => server.identity.findUser(userId);

describe('a pending change of the address', () => {
  test.each([
    [
      'a password reset by mail',
      async () => {
        await requestReset(email);
        expect((await use(linkTo(email, 'change-password'), newPassword)).status).toBe(200);
      },
    ],
    ['the end of all sessions', () => server.identity.endSessions(userId, server.database.transaction)],
    [
      'an address set by an administrator',
      async () => {
        await server.identity.updateUser(userId, { email: 'set@example.com' });
      },
    ],
  ])('ends with %s', async (_name, end) => {
    await change();
    await end();
    const { email: before } = (await person())!;
    expect(await statusOf(linkTo(thief, 'change-email'))).toBe(404);
    expect((await person())!.email).toBe(before);
  });

  test('leaves the owner the link that restores the address', async () => {
    await change();
    await server.identity.setPassword(userId, better);
    expect((await use(linkTo(email, 'restore-email'))).text).toContain(`is still ${email}`);
  });
});

test.each([
  ['the end of all sessions', () => server.identity.endSessions(userId, server.database.transaction)],
  [
    'a confirmed change of the address',
    async () => {
      await change();
      await use(linkTo(thief, 'change-email'));
    },
  ],
])('a password link ends with %s', async (_name, end) => {
  await requestReset(email);
  await end();
  expect(await statusOf(linkTo(email, 'change-password'))).toBe(404);
});

describe('an address that is restored', () => {
  const move = async () => {
    await change();
    await use(linkTo(thief, 'change-email'));
  };
  const restore = async () => (await use(linkTo(email, 'restore-email'))).text;
  let number = 0;
  const addPasskey = (displayName: string) =>
    server.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, $3, $4, '', 0, false, $5, $5)`,
      [server.spaceId, userId, displayName, `credential ${++number}`, isoTime(server.clock.now())],
    );
  const addLink = (subject: string) =>
    server.database.query(
      `insert into person_link (space_id, issuer, subject, user_id, created_at, last_used_at)
       values ($1, 'https://id.example', $2, $3, $4, $4)`,
      [server.spaceId, `${subject} ${userId}`, userId, isoTime(server.clock.now())],
    );
  const addToken = async (displayName: string, address: string) => {
    const { bearer } = await signIn(server, address);
    const principal = await server.identity.authenticate(bearer);
    const made = await server.identity.createApiToken({
      principal,
      displayName,
      roles: null,
      expiresAt: null,
    });
    return { authorization: `Bearer ${made.token}` };
  };
  const enableSecondStep = async () => {
    const { secret } = await server.identity.totp.prepare(userId, email);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() });
    return server.identity.totp.enable(userId, code, 'wrong');
  };
  const subjects = async () => {
    const { rows } = await server.database.query<{ subject: string }>(
      'select subject from person_link where user_id = $1',
      [userId],
    );
    return rows.map(({ subject }) => subject.split(' ')[0]);
  };
  const notice = () => server.mails.find(({ kind }) => kind === 'security-changed')!;

  test('has nothing left that was set up since the request, and tells its owner what is gone', async () => {
    await addPasskey('key of the owner');
    await addLink('before');
    const own = await addToken('own', email);
    server.clock.advance(1_000);
    await change();
    // A second request does not hide what was set up after the first.
    await addLink('since');
    const theirs = await addToken('theirs', email);
    server.clock.advance(1_000);
    const first = linkTo(email, 'restore-email');
    await change();
    const links = server.mails.filter(({ kind }) => kind === 'email-change-asked');
    const last = String(links.at(-1)!.params.link).slice(server.publicUrl.length);
    expect(last).not.toBe(first);
    const confirmations = server.mails.filter(({ kind }) => kind === 'change-email');
    await use(String(confirmations.at(-1)!.params.link).slice(server.publicUrl.length));
    await addPasskey('key of the thief');
    await enableSecondStep();
    await server.identity.totp.remember(userId);
    expect((await use(last)).text).toContain(`is ${email} again`);
    expect(await server.identity.totp.state(userId)).toEqual({
      ...{ enabled: false, enabledAt: null, recoveryCodesLeft: 0, passkeys: 0, rememberedBrowsers: 0 },
    });
    expect(await subjects()).toEqual(['before']);
    expect((await server.identity.authenticate(own)).userId).toBe(userId);
    await expect(server.identity.authenticate(theirs)).rejects.toMatchObject({ kind: 'sign-in-required' });
    expect(notice()).toMatchObject({ to: email });
    for (const text of [
      'key of the owner, key of the thief',
      'two-step verification',
      'recovery codes',
      'accounts: 1',
      'API tokens: theirs',
    ])
      expect(notice().params.change).toContain(text);
  });

  test.each([
    ['takes back', false],
    ['confirms and takes back', true],
  ])('can be restored after the thief %s another change', async (_name, isConfirmed) => {
    const other = 'other@example.com';
    await move();
    server.clock.advance(1_000);
    await server.identity.requestEmailChange(userId, { email: other, language: 'en' });
    if (isConfirmed) await use(linkTo(other, 'change-email'));
    expect((await use(linkTo(thief, 'restore-email'))).text).toContain(thief);
    expect(await restore()).toContain(`is ${email} again`);
    expect((await person())!.email).toBe(email);
  });

  test('is not lost by the links of later changes', async () => {
    await move();
    server.clock.advance(1_000);
    await server.identity.requestEmailChange(userId, { email: 'other@example.com', language: 'en' });
    await restore();
    expect(await statusOf(linkTo(thief, 'restore-email'))).toBe(404);
    expect(await statusOf(linkTo('other@example.com', 'change-email'))).toBe(404);
  });

  test('keeps the second step from before the request, without its recovery codes', async () => {
    await enableSecondStep();
    server.clock.advance(1_000);
    await move();
    await restore();
    expect(await server.identity.totp.state(userId)).toMatchObject({ enabled: true, recoveryCodesLeft: 0 });
    expect(notice().params.change).not.toContain('two-step verification');
  });

  test('that had not changed yet loses nothing', async () => {
    await addPasskey('key');
    await change();
    expect(await restore()).toContain(`is still ${email}`);
    expect(await server.identity.totp.state(userId)).toMatchObject({ passkeys: 1 });
    expect(server.mails.some(({ kind }) => kind === 'security-changed')).toBe(false);
  });
});
