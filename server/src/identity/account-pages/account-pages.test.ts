import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { createIdentity } from '../identity.ts';

let server: IdentityServer;
let addresses = 0;
const better = 'Purple-lantern-42-boat';
const by = { userId: '', displayName: 'Hana' };

beforeAll(async () => {
  server = (await startIdentityServer())!;
  for (const name of ['hana', 'ken', 'moving'])
    await server.identity.createUser({ email: `${name}@example.com`, displayName: name, password });
  by.userId = (await server.identity.findUser({ email: 'hana@example.com' }))!.userId;
  await server.identity.updateUser(by.userId, { roles: ['space:administrator', 'sonar:viewer'] });
}, 60_000);
afterAll(() => server.close());
beforeEach(() => {
  server.address = `203.0.113.${++addresses}`;
  server.mails.length = 0;
});

const card = (path: string, browser = new Browser()) => browser.visit(server.publicUrl + path);
const linkOf = (at = 0) => String(server.mails[at]!.params.link).slice(server.publicUrl.length);

const tryToInvite = (email: string) =>
  server.database.transaction((tx) =>
    server.identity.invite(tx, by, { email, roles: ['sonar:viewer'], language: 'en' }),
  );
const invite = async (email: string) => (await tryToInvite(email))!;

async function askForPassword(email: string, browser = new Browser()) {
  const page = await browser.submit(await card('/change-password', browser), { email });
  await server.settled();
  return page;
}

describe('an invitation', () => {
  test('makes a person who can sign in, once', async () => {
    await invite('new@example.com');
    expect(server.mails).toMatchObject([{ kind: 'invitation', to: 'new@example.com', language: 'en' }]);
    const browser = new Browser();
    const page = await card(linkOf(), browser);
    expect(page.url.pathname + page.url.search).toBe('/activate-invitation');
    expect(page.text).toContain('new@example.com');
    const done = await browser.submit(page, { displayName: 'New One', password: better, repeat: better });
    expect(done).toMatchObject({ status: 200 });
    expect(done.text).toContain('Your account is ready');
    expect(browser.jar.has('yagura_activate-invitation')).toBe(false);
    expect(await server.identity.findUser({ email: 'new@example.com' })).toMatchObject({
      displayName: 'New One',
      roles: ['sonar:viewer'],
      privileged: false,
    });
    const again = await card(linkOf());
    expect(again.status).toBe(410);
    expect(again.text).toContain('already been used');
  });

  test.each([
    ['short', { password: 'Ab-1', repeat: 'Ab-1' }, 'at least 12 characters'],
    ['without a symbol', { password: 'Abcdefgh12345', repeat: 'Abcdefgh12345' }, 'one symbol'],
    ['common', { password: 'Password1234!', repeat: 'Password1234!' }, 'easy to guess'],
    ['of the own address', { password: 'Fumiko-1234!', repeat: 'Fumiko-1234!' }, 'easy to guess'],
    ['of spaces', { password: `${better} `, repeat: better }, 'do not match'],
  ])('refuses a password that is %s, and keeps the link good', async (name, given, reason) => {
    const email = `fumiko@${name.replaceAll(' ', '-')}.example.com`;
    await invite(email);
    const browser = new Browser();
    const page = await browser.submit(await card(linkOf(), browser), { displayName: 'Fumiko', ...given });
    expect(page.status).toBe(400);
    expect(page.text).toContain(reason);
    expect(page.text).toContain('value="Fumiko"');
    expect(page.text).not.toContain(given.password);
    const done = await browser.submit(page, { displayName: 'Fumiko', password: better, repeat: better });
    expect(done.status).toBe(200);
  });

  test('ends after seven days, and a new one ends the one before', async () => {
    const id = await invite('late@example.com');
    server.clock.advance(7 * 86_400_000);
    expect((await card(linkOf())).text).toContain('has expired');
    expect(await server.database.transaction((tx) => server.identity.resend(tx, by, id))).toBe(true);
    expect((await card(linkOf(0))).text).toContain('is not valid');
    expect((await card(linkOf(1))).status).toBe(200);
  });

  test('is refused for whoever is a person of the space already', async () => {
    expect(await tryToInvite('KEN@example.com')).toBeNull();
  });

  test('is used up when its address belongs to a person meanwhile', async () => {
    const email = 'meanwhile@example.com';
    await invite(email);
    const browser = new Browser();
    const page = await card(linkOf(), browser);
    await server.identity.createUser({ email, displayName: 'From elsewhere' });
    const refused = await browser.submit(page, { displayName: 'Late', password: better, repeat: better });
    expect(refused.status).toBe(410);
    expect(refused.text).toContain('already been used');
    expect(await server.identity.findUser({ email })).toMatchObject({ displayName: 'From elsewhere' });
  });

  test('stays open while the price plan allows no more users, which its page says', async () => {
    const email = 'beyond@example.com';
    await invite(email);
    const browser = new Browser();
    const page = await card(linkOf(), browser);
    const fields = { displayName: 'Beyond', password: better, repeat: better };
    const unlimited = server.identity;
    server.identity = await createIdentity({ ...server.options, maxUsers: 1 });
    try {
      const refused = await browser.submit(page, fields);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('The price plan does not allow more users');
      expect(await server.identity.findUser({ email })).toBeNull();
    } finally {
      await server.identity.close();
      server.identity = unlimited;
    }
    expect((await browser.submit(page, fields)).status).toBe(200);
  });

  test('of two who accept at once makes one person', async () => {
    await invite('twice@example.com');
    const browsers = [new Browser(), new Browser()];
    const pages = await Promise.all(browsers.map((browser) => card(linkOf(), browser)));
    const replies = await Promise.all(
      browsers.map((browser, at) =>
        browser.submit(pages[at]!, { displayName: `Twice ${at}`, password: better, repeat: better }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 410]);
  });
});

describe('a new password', () => {
  test('is set by a link, ends every session and is told', async () => {
    const { tokens } = await signIn(server, 'ken@example.com');
    const requested = await askForPassword('ken@example.com');
    expect(requested.text).toContain('Check your email');
    const browser = new Browser();
    const page = await card(linkOf(), browser);
    const done = await browser.submit(page, { password: better, repeat: better });
    expect(done.text).toContain('Password set');
    expect(server.mails.map(({ kind }) => kind)).toEqual(['change-password', 'password-changed']);
    await expect(
      server.identity.authenticate({ authorization: `Bearer ${tokens.access_token}` }),
    ).rejects.toMatchObject({ kind: 'sign-in-required' });
    expect((await card(linkOf())).text).toContain('already been used');
    const oidcClient = await createOidcClient(server);
    const other = new Browser();
    const landing = await other.submit(await other.visit(await oidcClient.start()), {
      email: 'ken@example.com',
      password: better,
    });
    expect(landing.url.searchParams.has('code')).toBe(true);
  });

  test('is asked for without anybody learning who is here', async () => {
    const known = await askForPassword('hana@example.com');
    const unknown = await askForPassword('nobody@example.com');
    expect(unknown.text).toBe(known.text);
    expect(server.mails).toHaveLength(1);
  });

  test('fills nobody’s mailbox', async () => {
    const statuses = [];
    for (let at = 0; at < 8; at++) statuses.push((await askForPassword('moving@example.com')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(server.mails).toHaveLength(5);
  });

  test('comes only by the newest link, within an hour', async () => {
    await askForPassword('hana@example.com');
    await askForPassword('hana@example.com');
    expect((await card(linkOf(0))).status).toBe(404);
    server.clock.advance(3_599_999);
    expect((await card(linkOf(1))).status).toBe(200);
    server.clock.advance(1);
    expect((await card(linkOf(1))).text).toContain('has expired');
  });

  test('is set once by two who use the same link at once', async () => {
    await askForPassword('hana@example.com');
    const browsers = [new Browser(), new Browser()];
    const pages = await Promise.all(browsers.map((browser) => card(linkOf(), browser)));
    const replies = await Promise.all(
      browsers.map((browser, at) => browser.submit(pages[at]!, { password: better, repeat: better })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 410]);
    await server.identity.setPassword(by.userId, password);
  });

  test('is not set by a form of another site', async () => {
    await askForPassword('hana@example.com');
    const browser = new Browser();
    const page = await card(linkOf(), browser);
    const refused = await browser.submit(
      page,
      { password: better, repeat: better },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(refused.status).toBe(403);
    expect((await card('/change-password', browser)).text).toContain('hana@example.com');
  });
});

describe('a new email address', () => {
  const request = (email: string) => server.identity.requestEmailChange(by.userId, { email, language: 'ja' });

  test('is confirmed from the new one and told to the old one', async () => {
    await request('hana@new.example.com');
    expect(server.mails).toMatchObject([
      { kind: 'change-email', to: 'hana@new.example.com', language: 'ja' },
      { kind: 'email-change-asked', to: 'hana@example.com', params: { email: 'hana@new.example.com' } },
    ]);
    const browser = new Browser();
    const page = await card(linkOf(), browser);
    expect(page.text).toContain('hana@new.example.com');
    expect((await server.identity.findUser(by.userId))!.email).toBe('hana@example.com');
    expect((await browser.submit(page, {})).text).toContain('Email address changed');
    expect((await server.identity.findUser(by.userId))!.email).toBe('hana@new.example.com');
    expect(server.mails[2]).toMatchObject({ kind: 'email-changed', to: 'hana@example.com' });
    await request('hana@example.com');
    const back = new Browser();
    await back.submit(await card(linkOf(3), back), {});
  });

  test('is confirmed within a day', async () => {
    await request('hana@new.example.com');
    server.clock.advance(86_400_000 - 1);
    expect((await card(linkOf())).status).toBe(200);
    server.clock.advance(1);
    expect((await card(linkOf())).text).toContain('has expired');
  });

  test('that is the same is refused', async () => {
    await expect(request('HANA@example.com')).rejects.toMatchObject({ invalidParams: [{ name: 'email' }] });
    expect(server.mails).toHaveLength(0);
  });

  test('that is taken gets no mail and no answer of its own', async () => {
    await request('ken@example.com');
    expect(server.mails).toHaveLength(0);
  });
});

describe('the old address', () => {
  const email = 'moved@example.com';
  let userId: string;
  beforeEach(async () => {
    const known = await server.identity.findUser({ email });
    if (known) await server.identity.removeUser(known.userId);
    const person = await server.identity.createUser({ email, displayName: 'Moved', password });
    userId = person.userId;
  });
  const change = (to: string) =>
    server.identity.requestEmailChange(userId, { email: to, language: 'en', by: 'Mallory' });
  const confirm = async (at: number) => {
    const browser = new Browser();
    return browser.submit(await card(linkOf(at), browser), {});
  };
  const addressNow = async () => (await server.identity.findUser(userId))!.email;

  test('stops a change before it is confirmed, and the link to the new one is dead', async () => {
    await change('thief@example.com');
    expect(server.mails[1]).toMatchObject({
      kind: 'email-change-asked',
      to: email,
      params: { who: 'Mallory' },
    });
    expect((await confirm(1)).text).toContain(`is still ${email}`);
    expect((await card(linkOf(0))).status).toBe(404);
    expect(await addressNow()).toBe(email);
    expect((await signIn(server, email)).tokens.access_token).toBeTruthy();
  });

  test('takes a change back for seven days, which ends sessions and password, and sets a new one', async () => {
    await change('thief@example.com');
    await confirm(0);
    expect(await addressNow()).toBe('thief@example.com');
    const { bearer } = await signIn(server, 'thief@example.com');
    server.clock.advance(7 * 86_400_000 - 1_000);
    const browser = new Browser();
    const done = await browser.submit(await card(linkOf(1), browser), {});
    expect(done.text).toContain(`is ${email} again`);
    expect(await addressNow()).toBe(email);
    await expect(server.identity.authenticate(bearer)).rejects.toMatchObject({ kind: 'sign-in-required' });
    expect((await server.identity.findUser(userId))!.hasPassword).toBe(false);
    const next = /href="(\/change-password\?token=[^"]+)"/.exec(done.text)![1]!;
    server.clock.advance(3_599_999);
    const page = await card(next, browser);
    expect(page.status).toBe(200);
    server.clock.advance(1);
    expect((await card(next)).text).toContain('has expired');
    server.clock.advance(-1);
    await browser.submit(page, { password: better, repeat: better });
    expect((await server.identity.findUser(userId))!.hasPassword).toBe(true);
    expect((await card(linkOf(1))).text).toContain('already been used');
  });

  test('is told no later than it can act: after seven days the link has expired', async () => {
    await change('thief@example.com');
    server.clock.advance(7 * 86_400_000);
    expect((await card(linkOf(1))).text).toContain('has expired');
  });

  test('comes back after several changes, and whoever had the others has no way to undo that', async () => {
    await change('thief@example.com');
    await confirm(0);
    await change('other@example.com');
    const first = linkOf(1);
    const thiefs = linkOf(
      server.mails.findIndex(({ to, kind }) => to === 'thief@example.com' && kind === 'email-change-asked'),
    );
    await confirm(
      server.mails.findIndex(({ to, kind }) => to === 'other@example.com' && kind === 'change-email'),
    );
    expect(await addressNow()).toBe('other@example.com');
    const browser = new Browser();
    await browser.submit(await card(first, browser), {});
    expect(await addressNow()).toBe(email);
    expect((await card(thiefs)).status).toBe(404);
  });

  test('is not filled with mails by whoever asks again and again', async () => {
    for (let at = 0; at < 5; at++) await change(`many${at}@example.com`);
    await expect(change('many5@example.com')).rejects.toMatchObject({ kind: 'too-many-requests' });
    expect(server.mails).toHaveLength(10);
  });
});

describe('the pages', () => {
  test.each(['/activate-invitation', '/change-password', '/change-email', '/restore-email'])(
    '%s runs no script, keeps no token in its address and speaks both languages',
    async (path) => {
      const browser = new Browser();
      const page = await card(`${path}?token=${'A'.repeat(43)}`, browser);
      expect(page.url.search).toBe('');
      expect(page.text).not.toContain('AAAAA');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.text).not.toMatch(/<script|card\.[a-z]/);
      const japanese = await new Browser({ 'accept-language': 'ja' }).visit(server.publicUrl + path);
      expect(japanese.text).toContain('lang="ja"');
      expect(japanese.text).not.toMatch(/card\.[a-z]/);
    },
  );
});
