import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Browser,
  type BrowserPage,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import { createIdentity } from '../identity.ts';

let server: IdentityServer;
let addresses = 0;
beforeAll(async () => {
  server = (await startIdentityServer())!;
  for (const name of ['hana', 'ken', 'yui', 'locked', 'gone']) {
    await server.identity.createUser({ email: `${name}@example.com`, displayName: name, password });
  }
  await server.identity.createUser({ email: 'nopassword@example.com', displayName: 'No password' });
}, 60_000);
afterAll(() => server.close());
beforeEach(() => {
  server.address = `198.51.100.${++addresses}`;
});

async function open(browser = new Browser(), parameters: Record<string, string> = {}): Promise<BrowserPage> {
  const oidcClient = await createOidcClient(server);
  return browser.visit(await oidcClient.start(parameters));
}

async function attempt(email: string, given: string): Promise<BrowserPage> {
  const browser = new Browser();
  return browser.submit(await open(browser), { email, password: given });
}

describe('the page', () => {
  test.each([
    ['en', 'en-GB,en;q=0.9,ja;q=0.5', null, {}, 'Password'],
    ['ja', 'ja,en;q=0.8', null, {}, 'パスワード'],
    ['ja', 'fr', null, {}, 'パスワード'],
    ['ja', 'en', null, { ui_locales: 'ja' }, 'パスワード'],
    ['en', 'ja', 'en', { ui_locales: 'ja' }, 'Password'],
    ['en', 'en', 'klingon', {}, 'Password'],
  ])(
    'comes in %s for Accept-Language %s, cookie %s, %o',
    async (language, accepted, chosen, parameters, word) => {
      const browser = new Browser({ 'accept-language': accepted });
      if (chosen) browser.jar.set('lng', { value: chosen, path: '/' });
      const page = await open(browser, parameters as Record<string, string>);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-language')).toBe(language);
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain(word);
      expect(page.text).not.toMatch(/signin\.[a-z]/);
    },
  );

  test('the other language is one link away and stays chosen', async () => {
    const browser = new Browser();
    const page = await open(browser);
    const link = /<a href="([^"]+\?lng=ja)" lang="ja"/.exec(page.text)![1]!;
    expect((await browser.visit(new URL(link, page.url))).text).toContain('パスワード');
    expect(browser.jar.get('lng')).toEqual({ value: 'ja', path: '/' });
    expect((await open(browser)).text).toContain('パスワード');
  });

  test('runs no script, loads nothing and may only lead back to its client', async () => {
    const page = await open();
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${server.publicUrl}`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script|style="|\son\w+=/);
    const cli = await createOidcClient(server, 'yagura-cli');
    const forCli = await new Browser().visit(await cli.start());
    expect(forCli.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:45871",
    );
  });

  test('labels its fields for people, screen readers and password managers', async () => {
    const { text } = await open();
    expect(text).toMatch(/<label for="email">/);
    expect(text).toMatch(/<input id="email"[^>]*autocomplete="username"[^>]*autofocus/);
    expect(text).toMatch(/<label for="password">/);
    expect(text).toMatch(/<input id="password"[^>]*autocomplete="current-password"/);
  });

  test('a login_hint fills in the email, escaped', async () => {
    const { text } = await open(new Browser(), { login_hint: '"><b>x' });
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;x"');
  });

  test('is gone for whoever did not start it', async () => {
    const { url } = await open();
    const page = await new Browser().visit(url);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Sign-in expired');
  });
});

describe('a refused attempt', () => {
  test.each([
    ['a wrong password', 'hana@example.com', 'Wrong-horse-7'],
    ['an unknown account', 'nobody@example.com', password],
    ['an account without a password', 'nopassword@example.com', password],
    ['a password beyond any bound', 'hana@example.com', 'x'.repeat(5_000)],
    ['an address that the database rejects', 'hana\0@example.com', password],
  ])(
    '%s gets the same answer, with the email kept and the password in focus',
    async (_name, email, given) => {
      const page = await attempt(email, given);
      expect(page.status).toBe(400);
      expect(page.text).toContain('The email address or password is wrong.');
      expect(page.text).toContain(`value="${email.replace('\0', '\ufffd')}"`);
      expect(page.text).toMatch(
        /<input id="password"[^>]*aria-invalid="true" aria-describedby="problem" autofocus/,
      );
      expect(page.text).not.toContain(given);
    },
  );

  test.each([
    ['no password', { email: 'hana@example.com', password: '' }],
    ['no email', { email: '  ', password }],
    ['no fields at all', {}],
  ])('%s is asked for and counts as no attempt', async (_name, fields) => {
    const browser = new Browser();
    const page = await browser.submit(await open(browser), fields as Record<string, string>);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Enter your email address and password.');
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('a form sent with %o is not accepted', async (headers) => {
    const browser = new Browser();
    const page = await browser.submit(await open(browser), { email: 'hana@example.com', password }, headers);
    expect(page.status).toBe(403);
    expect(browser.jar.has('yagura_session')).toBe(false);
  });

  test('a form sent from the page itself is accepted', async () => {
    const browser = new Browser();
    const page = await open(browser);
    const landing = await browser.submit(
      page,
      { email: 'HANA@example.com', password },
      { 'sec-fetch-site': 'same-origin', origin: server.publicUrl },
    );
    expect(landing.url.searchParams.has('code')).toBe(true);
  });

  test.each([
    ['PUT', 405],
    ['DELETE', 405],
  ])('%s is not a way to sign in', async (method, status) => {
    const { url } = await open();
    expect((await fetch(url, { method })).status).toBe(status);
  });

  test('a form of several megabytes is answered without being kept', async () => {
    const browser = new Browser();
    const page = await open(browser);
    const refused = await browser.submit(page, { email: 'hana@example.com', password: 'x'.repeat(900_000) });
    expect(refused.status).toBe(400);
  });
});

describe('signing in as somebody else', () => {
  test('in the same browser ends the session of the first', async () => {
    const first = await signIn(server, 'hana@example.com');
    const oidcClient = await createOidcClient(server);
    const page = await first.browser.visit(await oidcClient.start({ prompt: 'login' }));
    const landing = await first.browser.submit(page, { email: 'ken@example.com', password });
    const ken = await server.identity.findUser({ email: 'ken@example.com' });
    expect((await oidcClient.finish(landing)).claims()).toMatchObject({ sub: ken!.userId });
    await expect(server.identity.authenticate(first.bearer)).rejects.toThrow('Sign-in required');
  });
});

describe('a person who is disabled', () => {
  test('loses tokens, session and sign-in at once', async () => {
    const email = 'gone@example.com';
    const { bearer, browser, tokens, relying } = await signIn(server, email);
    const person = await server.identity.authenticate(bearer);
    await server.identity.updateUser(person.userId, { disabled: true });
    await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
    const again = await browser.visit(await relying.start({ prompt: 'none' }));
    expect(again.url.searchParams.get('error')).toBe('login_required');
    const reply = await fetch(`${server.publicUrl}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'yagura-web',
        refresh_token: tokens.refresh_token!,
      }),
    });
    expect(reply.status).toBe(400);
    expect((await attempt(email, password)).status).toBe(400);
  });

  test('without telling this process, is refused when the memory of it has faded, and asked to sign in again', async () => {
    const { bearer, browser, relying } = await signIn(server, 'ken@example.com');
    const { userId } = await server.identity.authenticate(bearer);
    await server.database.query('update person set disabled = true where user_id = $1', [userId]);
    expect((await server.identity.authenticate(bearer)).userId).toBe(userId);
    server.clock.advance(3_000);
    await expect(server.identity.authenticate(bearer)).rejects.toThrow('Sign-in required');
    const page = await browser.visit(await relying.start());
    expect(page.text).toContain('name="password"');
    await server.database.query('update person set disabled = false where user_id = $1', [userId]);
  });
});

describe('a session', () => {
  test('of more than thirty days asks for the password again, although it was used all the time', async () => {
    const { browser, relying, tokens } = await signIn(server, 'hana@example.com');
    const age = (days: number) =>
      server.database.query(
        `update oidc_payload set payload = jsonb_set(payload, '{loginTs}', to_jsonb($2::bigint))
         where model = 'Session' and payload->>'accountId' = $1`,
        [tokens.claims()!.sub, Math.floor(Date.now() / 1000) - days * 86_400],
      );
    await age(29);
    expect((await browser.visit(await relying.start({ prompt: 'none' }))).url.searchParams.has('code')).toBe(
      true,
    );
    await age(31);
    expect((await browser.visit(await relying.start({ prompt: 'none' }))).url.searchParams.get('error')).toBe(
      'login_required',
    );
    const page = await browser.visit(await relying.start());
    const landing = await browser.submit(page, { email: 'hana@example.com', password });
    expect(landing.url.searchParams.has('code')).toBe(true);
  });

  test('behind a proxy that ends TLS has links of the public address and cookies for https alone', async () => {
    const publicUrl = 'https://console.example';
    const local = server.identity;
    server.identity = await createIdentity({ ...server.options, publicUrl });
    try {
      const query = new URLSearchParams({
        client_id: 'yagura-web',
        redirect_uri: `${publicUrl}/authorize`,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      });
      const reply = await fetch(`${server.publicUrl}/oidc/auth?${query}`, {
        redirect: 'manual',
        headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      });
      expect(reply.headers.get('location')).toMatch(
        /^https:\/\/console\.example\/oidc\/interaction\/[\w-]{43}$/,
      );
      const cookies = reply.headers.getSetCookie();
      expect(cookies.length).toBeGreaterThan(0);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^__(Secure|Host)-[^;]*; .*secure/i);
        expect(cookie).toMatch(/; httponly/i);
        expect(cookie).toMatch(/; samesite=lax/i);
      }
    } finally {
      await server.identity.close();
      server.identity = local;
    }
  });
});

describe('guessing', () => {
  const email = 'locked@example.com';
  /** Sends wrong passwords from this many other addresses, until unknown devices have to wait. */
  async function attack(account: string) {
    for (let guess = 0; guess < 31; guess++) {
      server.address = `203.0.113.${100 + guess}`;
      await attempt(account, 'Wrong-1');
    }
  }

  // Must be last: it advances the clock, which the provider library's own time does not follow.
  test('one account waits after five failures at one address, longer each time, over a restart, until the time is over', async () => {
    for (let failure = 1; failure < 5; failure++) expect((await attempt(email, 'Wrong-1')).status).toBe(400);
    const fifth = await attempt(email, 'Wrong-1');
    expect(fifth.status).toBe(429);
    expect(fifth.text).toContain('Try again in 30 s.');
    server.clock.advance(10_000);
    const right = await attempt(email, password);
    expect(right.status).toBe(429);
    expect(right.text).toContain('Try again in 20 s.');
    expect(right.headers.get('retry-after')).toBe('20');

    const before = server.identity;
    server.identity = await server.startAnother();
    await before.close();
    expect((await attempt(email, password)).status).toBe(429);

    server.clock.advance(20_000);
    expect((await attempt(email, 'Wrong-1')).text).toContain('Try again in 60 s.');
    server.clock.advance(60_000);
    expect((await attempt(email, 'Wrong-1')).text).toContain('Try again in 2 min.');
    server.clock.advance(120_000);
    expect((await attempt(email, password)).url.searchParams.has('code')).toBe(true);
    expect((await attempt(email, 'Wrong-1')).status).toBe(400);
  });

  test('does not keep its owner out at another address', async () => {
    for (let failure = 1; failure <= 5; failure++) await attempt('yui@example.com', 'Wrong-1');
    expect((await attempt('yui@example.com', password)).status).toBe(429);
    server.address = '203.0.113.9';
    expect((await attempt('yui@example.com', password)).url.searchParams.has('code')).toBe(true);
  });

  test('from everywhere keeps out neither a browser that has signed in before nor whoever has the mailed link', async () => {
    const { browser } = await signIn(server, 'yui@example.com');
    for (const name of ['yagura_session', 'yagura_session.sig']) browser.jar.delete(name);
    await attack('yui@example.com');
    server.address = '192.0.2.77';
    expect((await attempt('yui@example.com', password)).status).toBe(429);
    const known = await browser.submit(await open(browser), { email: 'yui@example.com', password });
    expect(known.url.searchParams.has('code')).toBe(true);

    const other = new Browser();
    const card = `${server.publicUrl}/change-password`;
    await other.submit(await other.visit(card), { email: 'yui@example.com' });
    await server.settled();
    const link = String(server.mails.findLast(({ kind }) => kind === 'change-password')!.params.link);
    const better = 'Purple-lantern-42-boat';
    await other.submit(await other.visit(link), { password: better, repeat: better });
    expect((await attempt('yui@example.com', better)).url.searchParams.has('code')).toBe(true);
    await attack('yui@example.com');
    server.address = '192.0.2.78';
    const reset = await other.submit(await open(other), { email: 'yui@example.com', password: better });
    expect(reset.url.searchParams.has('code')).toBe(true);
  });

  test('with a known browser of somebody else is a stranger’s guessing', async () => {
    const { browser } = await signIn(server, 'hana@example.com');
    let last: BrowserPage | undefined;
    for (let failure = 1; failure <= 5; failure++) {
      browser.jar.delete('yagura_session');
      last = await browser.submit(await open(browser), { email: 'ken@example.com', password: 'Wrong-1' });
    }
    expect(last!.status).toBe(429);
    expect((await attempt('ken@example.com', password)).status).toBe(429);
  });

  test('by thirty people behind one address who mistype keeps nobody out', async () => {
    server.address = '203.0.113.200';
    for (let person = 0; person < 60; person++) await attempt(`typo${person % 30}@example.com`, 'Wrong-1');
    expect((await attempt('hana@example.com', password)).url.searchParams.has('code')).toBe(true);
  });

  test('an account that does not exist has to wait just the same', async () => {
    for (let failure = 1; failure < 5; failure++) await attempt('ghost@example.com', 'Wrong-1');
    expect((await attempt('Ghost@example.com', 'Wrong-1')).status).toBe(429);
  });

  test('a device is remembered by a cookie that scripts cannot read, and forgotten with a new password', async () => {
    const { browser } = await signIn(server, 'ken@example.com');
    const token = browser.jar.get('yagura_device')!.value;
    expect(token).toMatch(/^[\w-]{43}$/);
    const { rows } = await server.database.query<{ row: string }>(
      'select to_jsonb(d)::text as row from known_device d',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
    const { userId } = (await server.identity.findUser({ email: 'ken@example.com' }))!;
    await server.identity.setPassword(userId, password);
    const left = await server.database.query('select 1 from known_device where user_id = $1', [userId]);
    expect(left.rows).toHaveLength(0);
  });

  test('twenty devices of a user are remembered, and a new one replaces the one that ends first', async () => {
    const { userId } = await server.identity.createUser({
      ...{ email: 'many@example.com', displayName: 'Many', password },
    });
    await server.database.query(
      `insert into known_device (space_id, user_id, token_hash, second_step, expires_at, created_at)
       select $1, $2, decode(lpad(to_hex(n), 64, '0'), 'hex'), false, $3::timestamptz + n * interval '1 second', $3
       from generate_series(1, 20) n`,
      [server.spaceId, userId, new Date(server.clock.now() + 86_400_000).toISOString()],
    );
    await signIn(server, 'many@example.com');
    const { rows } = await server.database.query<{ first: string }>(
      `select right(encode(token_hash, 'hex'), 2) as first from known_device where user_id = $1 order by expires_at`,
      [userId],
    );
    expect([rows.length, rows[0]!.first]).toEqual([20, '02']);
  });

  test('a browser keeps its device cookie for every user of it, unless the server does not know the cookie', async () => {
    const browser = new Browser();
    const cookieAfter = async (name: string) => {
      for (const session of ['yagura_session', 'yagura_session.sig']) browser.jar.delete(session);
      await signIn(server, `${name}@example.com`, undefined, browser);
      return browser.jar.get('yagura_device')!.value;
    };
    const token = await cookieAfter('hana');
    expect(await cookieAfter('hana')).toBe(token);
    expect(await cookieAfter('ken')).toBe(token);

    const planted = 'x'.repeat(43);
    browser.jar.set('yagura_device', { value: planted, path: '/' });
    const replaced = await cookieAfter('hana');
    expect(replaced).not.toBe(planted);

    await server.database.query('update known_device set expires_at = $1', [
      new Date(server.clock.now()).toISOString(),
    ]);
    expect(await cookieAfter('hana')).not.toBe(replaced);
  });
});
