import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, requestWith, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import { createKnownDevices, type KnownDevices } from '../sign-in/known-devices.ts';
import { createSignInSessions, type SignInSessions } from '../sign-in/sign-in-sessions.ts';
import { createOneTimeTokens } from '../tokens/one-time-tokens.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';
import { readRememberedBrowser, setRememberedBrowser } from './remembered-browser.ts';
import { createTotp, type Totp } from './totp.ts';

const day = 86_400_000;
let spaces: TwoSpaces;
let hana: string;
let ken: string;
let stranger: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  hana = await spaces.addPerson(spaces.here, 'hana@example.com');
  ken = await spaces.addPerson(spaces.here, 'ken@example.com');
  stranger = await spaces.addPerson(spaces.elsewhere, 'hana@example.com');
}, 60_000);
afterAll(() => spaces.close());

/** A reply that keeps the cookies that are set on it. */
function replyOf() {
  const cookies: string[] = [];
  return {
    cookies,
    res: { appendHeader: (_name: string, value: string) => void cookies.push(value) } as never,
  };
}

describe('two-step verification', () => {
  let totp: Totp;
  let others: Totp;
  beforeEach(async () => {
    totp = createTotp(spaces.here);
    others = createTotp(spaces.elsewhere);
    for (const table of ['person_totp', 'recovery_code', 'remembered_browser'])
      await spaces.database.query(`delete from ${table}`);
    spaces.clock.advance(90_000);
  });

  const codeOf = (secret: string, at = spaces.clock.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

  const regenerate = (from = totp) => spaces.database.transaction((tx) => from.regenerate(hana, tx));

  async function turnOn(userId: string, from = totp) {
    const { secret } = await from.prepare(userId, 'hana@example.com');
    const codes = await from.enable(userId, codeOf(secret), 'wrong');
    spaces.clock.advance(30_000);
    return { secret, codes };
  }

  const remember = async (userId: string, from = totp) => (await from.remember(userId))!;

  test('is set up with an address that names the user and the product, and is off until it is confirmed', async () => {
    const { secret, uri } = await totp.prepare(hana, 'hana@example.com');
    const address = new URL(uri);
    expect(decodeURIComponent(address.pathname)).toContain('Yagura:hana@example.com');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      secret,
      issuer: 'Yagura',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(Buffer.from(Secret.fromBase32(secret).buffer)).toHaveLength(20);
    expect(await totp.isEnabled(hana)).toBe(false);
    expect(await totp.check(hana, codeOf(secret))).toBeNull();
    expect(await totp.state(hana)).toEqual({
      enabled: false,
      enabledAt: null,
      recoveryCodesLeft: 0,
      passkeys: 0,
      rememberedBrowsers: 0,
    });
    await expect(regenerate()).rejects.toMatchObject({ kind: 'conflict' });
    const codes = await totp.enable(hana, ` ${codeOf(secret).replace(/(...)/, '$1 ')}`, 'wrong');
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/);
    expect(await totp.isEnabled(hana)).toBe(true);
    expect(await totp.state(hana)).toMatchObject({
      enabled: true,
      enabledAt: new Date(spaces.clock.now()).toISOString(),
      recoveryCodesLeft: 10,
    });
    await expect(totp.enable(hana, codeOf(secret), 'wrong')).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('that is on or off already is refused by a text that can be translated', async () => {
    await expect(spaces.database.transaction((tx) => totp.regenerate(hana, tx))).rejects.toMatchObject({
      text: { word: 'factor.already-off' },
    });
    const { secret } = await turnOn(hana);
    for (const work of [
      () => totp.prepare(hana, 'hana@example.com'),
      () => totp.enable(hana, codeOf(secret), 'wrong'),
    ])
      await expect(work()).rejects.toMatchObject({ text: { word: 'factor.already-on' } });
  });

  test('set up anew takes the code of the new secret in the half minute in which the old one was tried', async () => {
    const first = await totp.prepare(hana, 'hana@example.com');
    expect(await totp.enable(ken, codeOf(first.secret), 'wrong').catch(({ kind }) => kind)).toBe('invalid');
    await totp.enable(hana, codeOf(first.secret), 'wrong');
    await totp.disable(hana);
    const second = await totp.prepare(hana, 'hana@example.com');
    await spaces.database.query('update person_totp set last_step = 1e9');
    const third = await totp.prepare(hana, 'hana@example.com');
    expect(third.secret).not.toBe(second.secret);
    expect(await totp.enable(hana, codeOf(third.secret), 'wrong')).toHaveLength(10);
  });

  test('of a user is that of nobody else, in no other space either', async () => {
    const own = await turnOn(hana);
    const ofKen = await turnOn(ken);
    expect(await totp.check(ken, codeOf(own.secret))).toBeNull();
    expect(await totp.check(ken, own.codes[0]!)).toBeNull();
    expect(await others.isEnabled(hana)).toBe(false);
    expect(await others.check(hana, codeOf(own.secret))).toBeNull();
    await expect(regenerate(others)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await others.state(hana)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
    expect(await others.disable(hana)).toBe(false);
    expect(await totp.state(hana)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
    // The same code in the same half minute belongs to each of them once.
    expect(await totp.check(hana, codeOf(own.secret))).toBe('app');
    expect(await totp.check(ken, codeOf(ofKen.secret))).toBe('app');
    expect(await totp.check(hana, codeOf(own.secret))).toBeNull();
    expect(await totp.check(hana, own.codes[0]!)).toBe('recovery-code');
    expect(await totp.check(hana, own.codes[0]!)).toBeNull();
    expect(await totp.check(hana, '')).toBeNull();
    expect(await totp.state(ken)).toMatchObject({ recoveryCodesLeft: 10 });
    const fresh = await regenerate();
    expect(await totp.check(hana, own.codes[1]!)).toBeNull();
    expect(await totp.check(hana, fresh[1]!)).toBe('recovery-code');
    expect(await totp.state(ken)).toMatchObject({ recoveryCodesLeft: 10 });
  });

  test('turned off takes codes and remembered browsers with it, of that user alone', async () => {
    await turnOn(hana);
    const ofKen = await turnOn(ken);
    const [token, kens] = [await remember(hana), await remember(ken)];
    expect(await totp.disable(hana)).toBe(true);
    expect(await totp.disable(hana)).toBe(false);
    expect(await totp.isRemembered(hana, token)).toBe(false);
    expect(await totp.state(hana)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
    expect(await totp.isRemembered(ken, kens)).toBe(true);
    expect(await totp.check(ken, ofKen.codes[0]!)).toBe('recovery-code');
  });

  test('remembers no browser while it is off, nor before it is confirmed', async () => {
    const kept = () => spaces.column('select 1 from remembered_browser');
    expect(await totp.remember(hana)).toBeNull();
    await totp.prepare(hana, 'hana@example.com');
    expect(await totp.remember(hana)).toBeNull();
    await turnOn(ken);
    await totp.disable(ken);
    expect([await totp.remember(ken), await kept()]).toEqual([null, []]);
    await turnOn(ken);
    expect([await others.remember(ken), await kept()]).toEqual([null, []]);
  });

  test('is spared a remembered browser of that user in that space for thirty days', async () => {
    await turnOn(hana);
    await turnOn(ken);
    await turnOn(stranger, others);
    const token = await remember(hana);
    const kens = await remember(ken);
    const strangers = await remember(stranger, others);
    expect(await totp.isRemembered(ken, token)).toBe(false);
    expect(await totp.isRemembered(hana, kens)).toBe(false);
    expect(await others.isRemembered(hana, token)).toBe(false);
    expect(await totp.state(hana)).toMatchObject({ rememberedBrowsers: 1 });
    spaces.clock.advance(30 * day - 1);
    expect(await totp.isRemembered(hana, token)).toBe(true);
    expect(await totp.state(hana)).toMatchObject({ rememberedBrowsers: 1 });
    spaces.clock.advance(1);
    expect(await totp.isRemembered(hana, token)).toBe(false);
    expect(await totp.state(hana)).toMatchObject({ rememberedBrowsers: 0 });
    const kept = () => spaces.column('select user_id from remembered_browser order by user_id');
    await totp.sweep();
    expect(await kept()).toEqual([hana, ken, stranger]);
    spaces.clock.advance(1);
    const late = await remember(hana);
    await totp.sweep();
    expect(await kept()).toEqual([hana, stranger]);
    expect(await totp.isRemembered(hana, late)).toBe(true);
    expect(await others.forgetBrowsers(hana, spaces.database)).toBe(0);
    expect(await totp.forgetBrowsers(ken, spaces.database)).toBe(0);
    expect(await totp.forgetBrowsers(hana, spaces.database)).toBe(1);
    expect(await kept()).toEqual([stranger]);
    expect(strangers).not.toBe(late);
  });

  test.each([
    ['https://yagura.example', '__Host-yagura_browser', true],
    ['http://localhost:8080', 'yagura_browser', false],
  ])('knows the browser at %s by the cookie %s', (publicUrl, name, isSecure) => {
    const { cookies, res } = replyOf();
    const token = 't'.repeat(43);
    setRememberedBrowser(res, publicUrl, token);
    expect(cookies).toEqual([
      `${name}=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    ]);
    const read = (cookie: string) => readRememberedBrowser(requestWith({ cookie }), publicUrl);
    expect(read(`a=b; ${name}=${token}`)).toBe(token);
    for (const wrong of [`x${name}=${token}`, `${name}=${'t'.repeat(19)}`, `${name}=${'t'.repeat(129)}`, ''])
      expect(read(wrong)).toBeUndefined();
    expect(readRememberedBrowser(requestWith({}), publicUrl)).toBeUndefined();
  });
});

describe('a browser that has signed in', () => {
  let devices: KnownDevices;
  let others: KnownDevices;
  beforeEach(async () => {
    devices = createKnownDevices(spaces.here);
    others = createKnownDevices(spaces.elsewhere);
    await spaces.database.query('delete from known_device');
  });

  async function remember(userId: string, cookie = '', secondStep = false, from = devices): Promise<string> {
    const { cookies, res } = replyOf();
    await from.remember({ req: requestWith(cookie ? { cookie } : {}), res }, userId, { secondStep });
    return cookies[0]!;
  }
  const sentBack = (cookie: string) => cookie.split(';')[0]!;
  const knows = async (cookie: string, userId: string, secondStep = false, from = devices) =>
    (await from.findForUser(requestWith({ cookie }), userId, { secondStep })) !== undefined;

  test('gets a cookie for half a year that no script reads', async () => {
    expect(await remember(hana)).toMatch(
      /^__Host-yagura_device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
    );
    const plain = createKnownDevices({ ...spaces.here, publicUrl: 'http://localhost:8080' });
    expect(await remember(hana, '', false, plain)).toMatch(
      /^yagura_device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    );
  });

  test('is known for its user in that space, by id or address, until half a year has passed', async () => {
    const cookie = sentBack(await remember(hana));
    const byAddress = (email: string, from = devices) => from.findForEmail(requestWith({ cookie }), email);
    const own = await devices.findForUser(requestWith({ cookie: `a=b; ${cookie}` }), hana);
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    expect(await byAddress(' HANA@example.com ')).toBe(own);
    expect(await byAddress('ken@example.com')).toBeUndefined();
    expect(await byAddress('hana@example.com', others)).toBeUndefined();
    expect(await knows(cookie, ken)).toBe(false);
    expect(await knows(cookie, hana, false, others)).toBe(false);
    expect(await knows(cookie.slice(0, -1), hana)).toBe(false);
    expect(await devices.findForUser(requestWith({}), hana)).toBeUndefined();
    spaces.clock.advance(180 * day - 1);
    expect(await knows(cookie, hana)).toBe(true);
    spaces.clock.advance(1);
    expect(await knows(cookie, hana)).toBe(false);
    expect(await byAddress('hana@example.com')).toBeUndefined();
  });

  test('counts for the second step once it has passed it, also when it comes by password later', async () => {
    const cookie = sentBack(await remember(hana));
    expect(await knows(cookie, hana, true)).toBe(false);
    expect(sentBack(await remember(hana, cookie, true))).toBe(cookie);
    expect(await knows(cookie, hana, true)).toBe(true);
    spaces.clock.advance(day);
    expect(sentBack(await remember(hana, cookie))).toBe(cookie);
    expect(await knows(cookie, hana, true)).toBe(true);
    // Signing in again has made its time longer.
    spaces.clock.advance(180 * day - 1);
    expect(await knows(cookie, hana)).toBe(true);
    const foreign = sentBack(await remember(stranger, cookie, false, others));
    expect(foreign).not.toBe(cookie);
  });

  test('makes room for the twenty newest ones of its user', async () => {
    const kens = sentBack(await remember(ken));
    const cookies: string[] = [];
    for (let at = 0; at < 21; at++) {
      cookies.push(sentBack(await remember(hana)));
      spaces.clock.advance(1);
    }
    expect(await knows(cookies[0]!, hana)).toBe(false);
    for (const cookie of [cookies[1]!, cookies[20]!]) expect(await knows(cookie, hana)).toBe(true);
    expect(await knows(kens, ken)).toBe(true);
    expect(await spaces.column('select count(*)::int from known_device')).toEqual([21]);
  });

  test('is forgotten after its time, in its own space', async () => {
    await remember(hana);
    await remember(stranger, '', false, others);
    spaces.clock.advance(180 * day);
    await devices.sweep();
    expect(await spaces.column('select count(*)::int from known_device')).toEqual([2]);
    spaces.clock.advance(1);
    await devices.sweep();
    expect(await spaces.column('select user_id from known_device')).toEqual([stranger]);
  });
});

describe('a sign-in that stands', () => {
  let sessions: SignInSessions;
  let others: SignInSessions;
  beforeEach(async () => {
    sessions = createSignInSessions(spaces.here);
    others = createSignInSessions(spaces.elsewhere);
    await spaces.database.query('delete from sign_in_session');
    await spaces.database.query('delete from oidc_payload');
  });

  const record = (grantId: string, userId: string, more: object = {}, from = sessions) =>
    from.record({
      ...{ grantId, userId, clientId: 'yagura-web', address: '192.0.2.1', userAgent: 'B', language: 'en' },
      ...more,
    });
  const payload = (
    model: string,
    id: string,
    more: { grant?: string; payload?: object } = {},
    context = spaces.here,
  ) =>
    spaces.database.query(
      'insert into oidc_payload (space_id, model, id, payload, grant_id) values ($1, $2, $3, $4, $5)',
      [context.spaceId, model, id, JSON.stringify(more.payload ?? {}), more.grant ?? null],
    );

  test('is noted once with its client and a bounded origin without control characters', async () => {
    await record('one', hana, {
      address: 'a'.repeat(101),
      userAgent: `a\u0000\u001f\u007f${'b'.repeat(300)}`,
    });
    await record('one', ken);
    await record('two', hana, { clientId: 'yagura-cli' });
    const { rows } = await spaces.database.query(
      'select grant_id as id, user_id as "userId", client, address, user_agent as agent from sign_in_session order by 1',
    );
    expect(rows).toEqual([
      { id: 'one', userId: hana, client: 'web', address: 'a'.repeat(100), agent: `a   ${'b'.repeat(296)}` },
      { id: 'two', userId: hana, client: 'cli', address: '192.0.2.1', agent: 'B' },
    ]);
  });

  test('gives the token of the external provider from which it came', async () => {
    await record('plain', hana);
    await record('external', hana, { externalToken: Buffer.from('sealed') });
    await record('foreign', stranger, { externalToken: Buffer.from('foreign') }, others);
    expect(await sessions.externalToken(['plain'])).toBeNull();
    expect(await sessions.externalToken(['foreign', 'plain'])).toBeNull();
    expect(Buffer.from((await sessions.externalToken(['plain', 'external']))!).toString()).toBe('sealed');
  });

  test('proves the user once, in that sign-in, for five minutes', async () => {
    await record('one', hana);
    await record('two', hana);
    await record('one', stranger, {}, others);
    await sessions.recordProof('one', false);
    expect(await sessions.proof(hana, 'one')).toEqual({
      until: new Date(spaces.clock.now() + 300_000).toISOString(),
      strong: false,
    });
    for (const [userId, grantId, from] of [
      [hana, 'two', sessions],
      [ken, 'one', sessions],
      [hana, 'one', others],
      [stranger, 'one', others],
    ] as const) {
      expect(await from.proof(userId, grantId)).toBeNull();
      expect(await from.consumeProof(userId, grantId)).toBe(false);
    }
    expect(await sessions.consumeProof(hana, 'one', { strong: true })).toBe(false);
    spaces.clock.advance(299_999);
    expect(await sessions.proof(hana, 'one')).not.toBeNull();
    expect(await sessions.consumeProof(hana, 'one')).toBe(true);
    expect(await sessions.consumeProof(hana, 'one')).toBe(false);
    await sessions.recordProof('one', true);
    expect(await sessions.proof(hana, 'one')).toMatchObject({ strong: true });
    spaces.clock.advance(300_000);
    expect(await sessions.proof(hana, 'one')).toBeNull();
    expect(await sessions.consumeProof(hana, 'one', { strong: true })).toBe(false);
    await sessions.recordProof('one', true);
    expect(await sessions.consumeProof(hana, 'one', { strong: true })).toBe(true);
  });

  test('is ended with its tokens and the browser sessions that hold it, and nothing else', async () => {
    const signedIn = (grantId: string) => ({ accountId: hana, authorizations: { web: { grantId } } });
    await record('one', hana);
    await record('two', hana);
    for (const id of ['one', 'two']) {
      await payload('Grant', id);
      await payload('RefreshToken', `refresh ${id}`, { grant: id });
      await payload('Session', `session ${id}`, { payload: signedIn(id) });
    }
    await payload('Session', 'of ken', { payload: { ...signedIn('one'), accountId: ken } });
    await payload('Interaction', 'one');
    await payload('Interaction', 'with session', { payload: signedIn('one') });
    await payload('Grant', 'one', {}, spaces.elsewhere);
    await payload('RefreshToken', 'foreign', { grant: 'one' }, spaces.elsewhere);
    await payload('Session', 'foreign', { payload: signedIn('one') }, spaces.elsewhere);
    const [id] = await spaces.column(`select sign_in_session_id from sign_in_session where grant_id = 'one'`);
    const end = (userId: string, from = sessions) =>
      from.end(userId, String(id), spaces.database.transaction);
    expect(await end(ken)).toBe(false);
    expect(await end(hana, others)).toBe(false);
    const before = spaces.cleared();
    expect(await end(hana)).toBe(true);
    expect(await end(hana)).toBe(false);
    expect(spaces.cleared()).toBe(before + 2);
    const left = await spaces.column(
      `select model || ' ' || id || case when space_id = $1 then '' else ' elsewhere' end from oidc_payload order by 1`,
      [spaces.here.spaceId],
    );
    expect(left.sort()).toEqual([
      'Grant one elsewhere',
      'Grant two',
      'Interaction one',
      'Interaction with session',
      'RefreshToken foreign elsewhere',
      'RefreshToken refresh two',
      'Session foreign elsewhere',
      'Session of ken',
      'Session session two',
    ]);
    expect(await spaces.column('select grant_id from sign_in_session')).toEqual(['two']);
  });

  test('leaves the list when its grant is gone, in its own space', async () => {
    for (const id of ['granted', 'gone', 'no grant', 'granted elsewhere']) await record(id, hana);
    await record('gone', stranger, {}, others);
    await payload('Grant', 'granted');
    await payload('RefreshToken', 'no grant');
    await payload('Grant', 'granted elsewhere', {}, spaces.elsewhere);
    await sessions.sweep();
    const left = await spaces.column('select user_id from sign_in_session order by user_id');
    expect(left).toEqual([hana, stranger]);
  });
});

describe('passkeys', () => {
  let passkeys: Passkeys;
  let others: Passkeys;
  const tokensOf = (at: 'here' | 'elsewhere') => createOneTimeTokens(spaces[at]);
  beforeEach(async () => {
    const make = (at: 'here' | 'elsewhere') =>
      createPasskeys(spaces[at], { tokens: tokensOf(at), tellCopied: async () => {} });
    passkeys = make('here');
    others = make('elsewhere');
    await spaces.database.query('delete from passkey');
  });

  const add = (userId: string, credential: string, context = spaces.here) =>
    spaces.database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, transports, synced, created_at, updated_at)
       values ($1, $2, $3, $4, $4, '\\x03', 0, '{usb}', false, now(), now())`,
      [context.nextId(), context.spaceId, userId, credential],
    );

  test('are in use in the space that has one', async () => {
    expect(await passkeys.inUse()).toBe(false);
    await add(stranger, 'c3RyYW5nZXI', spaces.elsewhere);
    expect(await passkeys.inUse()).toBe(false);
    expect(await others.inUse()).toBe(true);
  });

  test('are asked for by name for one user, and for nobody when the user is to be found by them', async () => {
    await add(hana, 'aGFuYQ');
    await add(ken, 'a2Vu');
    const ofHana = [{ id: 'aGFuYQ', transports: ['usb'] }];
    expect(await passkeys.requestOptions(hana)).toMatchObject({
      rpId: 'here.example',
      userVerification: 'preferred',
      allowCredentials: ofHana,
    });
    expect(await passkeys.requestOptions(null)).toMatchObject({
      userVerification: 'required',
      allowCredentials: [],
    });
    expect((await others.requestOptions(hana)).allowCredentials).toEqual([]);
    const person = { userId: hana, email: 'hana@example.com', displayName: 'Hana' };
    const options = await passkeys.creationOptions(person);
    expect(options).toMatchObject({
      rp: { name: 'Yagura', id: 'here.example' },
      user: { name: 'hana@example.com', displayName: 'Hana' },
      attestation: 'none',
      excludeCredentials: ofHana,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    const token = Buffer.from(options.challenge, 'base64url').toString();
    spaces.clock.advance(599_999);
    expect((await tokensOf('here').peek('passkey', token)).state).toBe('good');
    spaces.clock.advance(1);
    expect((await tokensOf('here').peek('passkey', token)).state).toBe('expired');
  });

  test.each([
    '',
    'no json',
    'null',
    '1',
    '{"id":1,"response":{}}',
    '{"id":"aGFuYQ"}',
    '{"id":"eA","response":{}}',
  ])('take %j for nobody', async (answer) => {
    await add(hana, 'aGFuYQ');
    const challenge = { text: 'x', issuedAt: 0 };
    const expected = { challenge, userId: null, alone: true, language: 'en' } as const;
    expect(await passkeys.verify(answer, expected)).toBeNull();
  });
});
