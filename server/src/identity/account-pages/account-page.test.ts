import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import type { AuditEntry } from '../../audit/audit-log.ts';
import type { Database } from '../../db/database.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createTotp } from '../mfa/totp.ts';
import { createAttemptLimit } from '../sign-in/attempt-limit.ts';
import { createKnownDevices } from '../sign-in/known-devices.ts';
import { createSignInLog } from '../sign-in/sign-in-log.ts';
import { createOneTimeTokens, type TokenPurpose } from '../tokens/one-time-tokens.ts';
import { createInvitations } from '../users/invitations.ts';
import { createUserAccounts } from '../users/user-accounts.ts';
import { type AccountPagePath, accountPagePath } from './account-page-paths.ts';
import { createAccountPages } from './account-pages.ts';

const better = 'Purple-lantern-42-boat';
const password = 'Correct-horse-7';
let spaces: TwoSpaces;
let hana: string;
let ken: string;
let audited: AuditEntry[];
beforeAll(async () => {
  spaces = await openTwoSpaces();
}, 60_000);
afterAll(() => spaces.close());
beforeEach(async () => {
  for (const table of ['signin_budget', 'invitation', 'person'])
    await spaces.database.query(`delete from ${table}`);
  hana = await spaces.addPerson(spaces.here, 'hana@example.com', {
    displayName: 'Hana',
    privileged: true,
  });
  ken = await spaces.addPerson(spaces.here, 'ken@example.com');
  audited = [];
  spaces.mails.length = 0;
  spaces.logLines.length = 0;
});

/** The account pages of the first space, with what the test changes. */
function open(change: Partial<IdentityContext> = {}) {
  const context = {
    ...spaces.here,
    audit: { enqueue: (entry: AuditEntry) => void audited.push(entry) },
    ...change,
  };
  const users = createUserAccounts(context);
  const tokens = createOneTimeTokens(context);
  const notices: unknown[] = [];
  const pages = createAccountPages(context, {
    ...{ users, tokens, limit: createAttemptLimit(context), devices: createKnownDevices(context) },
    ...{ invitations: createInvitations(context), totp: createTotp(context) },
    notifySecurityChange: async (...given) => void notices.push(given),
    signInLog: createSignInLog(context, () => '192.0.2.1'),
    clientAddress: () => '192.0.2.1',
  });

  /** Sends a request; `token` is that of the page's cookie. */
  async function visit(
    path: AccountPagePath,
    options: {
      method?: string;
      query?: string;
      token?: string;
      form?: Record<string, string>;
      headers?: object;
    } = {},
  ) {
    const { form, query = '', token, method = form ? 'POST' : 'GET' } = options;
    const prefix = context.publicUrl.startsWith('https:') ? '__Host-' : '';
    const req = Object.assign(
      Readable.from(form ? [Buffer.from(new URLSearchParams(form).toString())] : []),
      {
        ...{ method, url: path + query },
        headers: {
          'user-agent': 'Browser',
          'accept-language': 'en',
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...(token ? { cookie: `a=b; ${prefix}yagura_${path.slice(1)}=${token}` } : {}),
          ...options.headers,
        },
      },
    );
    const reply = { status: 0, headers: {} as Record<string, unknown>, cookies: [] as string[], text: '' };
    const res = {
      headersSent: false,
      setHeader: (_name: string, value: string) => void reply.cookies.push(value),
      appendHeader: (_name: string, value: string) => void reply.cookies.push(value),
      writeHead(status: number, headers: Record<string, unknown>) {
        Object.assign(reply, { status, headers });
        return res;
      },
      end(text = '') {
        reply.text = text;
      },
    };
    await pages.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse, path);
    return reply;
  }
  const issue = (purpose: TokenPurpose, data: Record<string, string> = {}, userId = hana) =>
    tokens.issue(context.database, { purpose, userId, data, lifetime: 60_000, keepEarlier: true });
  return { context, pages, visit, issue, users, tokens, notices };
}
const emails = () => spaces.column('select email from person order by user_id');

test.each([
  ['/change-password', '/change-password'],
  ['/change-password/?token=x', '/change-password'],
  ['/link-account?a=/x/', '/link-account'],
  ['/change-password//', undefined],
  ['/change-passwords', undefined],
  ['/', undefined],
  [undefined, undefined],
])('the account page of %j is %j', (url, path) => {
  expect(accountPagePath(url)).toBe(path);
});

describe('an account page', () => {
  test.each([
    ['https://here.example', '__Host-yagura_change-email', '; Secure'],
    ['http://localhost:8080', 'yagura_change-email', ''],
  ])('at %s moves the token of its link to a cookie for an hour', async (publicUrl, name, secure) => {
    const { visit } = open({ publicUrl });
    const cookie = (value: string, age = 3_600) =>
      `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
    const language = `lng=ja; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    for (const [query, cookies] of [
      [`?token=${'t'.repeat(20)}`, [cookie('t'.repeat(20))]],
      [`?token=${'t'.repeat(128)}&lng=xx`, [cookie('t'.repeat(128))]],
      [`?lng=ja&token=${'t'.repeat(19)}`, [language, cookie('x'.repeat(20))]],
      [`?token=${'t'.repeat(129)}`, [cookie('x'.repeat(20))]],
      ['?lng=ja', [language]],
    ] as const) {
      const reply = await visit('/change-email', { query });
      expect([reply.status, reply.headers.location, reply.cookies]).toEqual([303, '/change-email', cookies]);
    }
    expect(await visit('/change-email', { query: '?lng=xx' })).toMatchObject({ status: 200, cookies: [] });
    // A token that is worth nothing is not asked for again.
    const dead = await visit('/change-email', { token: 't'.repeat(43) });
    expect([dead.status, dead.cookies]).toEqual([404, [cookie('', 0)]]);
  });

  test('answers GET, HEAD without the text, and POST, no other method', async () => {
    const { visit } = open();
    const head = await visit('/change-email', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000);
    for (const method of ['PUT', 'DELETE', 'OPTIONS'])
      expect(await visit('/change-email', { method })).toMatchObject({
        ...{ status: 405, headers: { allow: 'GET, HEAD, POST' } },
      });
  });

  test('leads on from a dead link to a new one, or to the sign-in', async () => {
    const { visit, issue } = open();
    const token = 't'.repeat(43);
    for (const [path, href, text] of [
      ['/activate-invitation', '/', 'is not valid'],
      ['/link-account', '/', 'is not valid'],
      ['/restore-email', '/', 'is not valid'],
      ['/change-password', '/change-password', 'is not valid'],
      ['/change-email', '/change-email', 'is not valid'],
    ] as const) {
      const reply = await visit(path, { token });
      expect(reply.status).toBe(404);
      expect(reply.text).toContain(`class="button" href="${href}"`);
      expect(reply.text).toContain(text);
    }
    const late = await issue('change-password');
    spaces.clock.advance(60_000);
    const expired = await visit('/change-password', { token: late });
    expect([expired.status, expired.text.includes('has expired')]).toEqual([410, true]);
  });

  test('whose link is used by two at once does it once, and takes the link from both', async () => {
    const { visit, issue } = open();
    await createUserAccounts(spaces.here).setPassword(hana, password);
    const change = { email: 'new@example.com', old: 'hana@example.com' };
    const account = { issuer: 'https://id.example', subject: 'one' };
    for (const [path, data, form] of [
      ['change-password', {}, { password, repeat: password }],
      ['link-account', account, { password }],
      ['change-email', change, {}],
      ['restore-email', change, {}],
    ] as const) {
      const token = await issue(path, data);
      const uses = await Promise.all([1, 2].map(() => visit(`/${path}`, { token, form })));
      expect(uses.map(({ status }) => status).sort(), path).toEqual([200, 410]);
      for (const { cookies } of uses) expect(cookies.at(-1)).toContain(`yagura_${path}=; Path=/; Max-Age=0;`);
      expect(audited.map(({ action }) => action)).toEqual([path]);
      audited.length = 0;
    }
  });

  test.each([
    ['away', () => new StoreUnavailable('gone'), 503, 0],
    ['broken', () => new Error('gone'), 500, 1],
  ])('says that the server is %s, and logs only faults', async (_name, error, status, lines) => {
    const query = () => Promise.reject(error());
    const database = { ...spaces.database, query, transaction: query } as unknown as Database;
    const reply = await open({ database }).visit('/change-email', { token: 't'.repeat(43) });
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('gone');
    expect(spaces.logLines).toHaveLength(lines);
    if (lines > 0) expect(spaces.logLines[0]).toMatchObject({ level: 'error', path: '/change-email' });
  });
});

describe('the page of an invitation', () => {
  async function invite() {
    const opened = open();
    await spaces.database.transaction((tx) =>
      createInvitations(opened.context).invite(
        tx,
        { userId: hana, displayName: 'Hana' },
        { email: 'new@example.com', roles: [], language: 'en' },
      ),
    );
    const token = String(spaces.mails.at(-1)!.params.link).split('=')[1]!;
    const accept = (displayName: string, given = better, repeat = given) =>
      opened.visit('/activate-invitation', { token, form: { displayName, password: given, repeat } });
    return { ...opened, token, accept };
  }

  test('takes a name of one to a hundred characters and a password that is repeated', async () => {
    const { accept } = await invite();
    for (const name of ['', '  ', '花'.repeat(101), 'a\0b']) {
      const refused = await accept(name);
      expect([refused.status, refused.cookies]).toEqual([400, []]);
      expect(refused.text).toContain('id="displayName-fault"');
    }
    const differing = await accept('New', better, `${better}x`);
    expect(differing.text).toContain('id="repeat-fault"');
    const done = await accept(` ${'😀'.repeat(100)} `);
    expect(done.status).toBe(200);
    expect(done.cookies).toEqual([
      expect.stringMatching(/^__Host-yagura_activate-invitation=; .*Max-Age=0;/),
    ]);
    const user = (await createUserAccounts(spaces.here).findUser({ email: 'new@example.com' }))!;
    expect(user).toMatchObject({ displayName: '😀'.repeat(100), hasPassword: true });
    expect(audited).toEqual([
      {
        actor: { kind: 'person', userId: user.userId, name: '😀'.repeat(100) },
        from: { address: '192.0.2.1', userAgent: 'Browser' },
        ...{ action: 'activate-invitation', outcome: 'done', resource: 'sign-in', resourceId: user.userId },
      },
    ]);
    const again = await accept('New');
    expect([again.status, again.text.includes('already been used')]).toEqual([410, true]);
    expect(audited).toHaveLength(1);
  });
});

describe('the page of a password', () => {
  test('mails a link for an hour to a user who may sign in, and to nobody else', async () => {
    const { visit, pages, tokens } = open();
    const ask = async (email: string) => {
      const reply = await visit('/change-password', { form: { email } });
      await pages.settle();
      return reply;
    };
    const asked = await ask(' HANA@example.com ');
    expect([asked.status, asked.cookies]).toEqual([200, []]);
    const token = String(spaces.mails[0]!.params.link).split('token=')[1]!;
    expect(spaces.mails).toEqual([
      {
        kind: 'change-password',
        to: 'hana@example.com',
        language: 'en',
        params: {
          ...{ name: 'Hana', space: 'here', minutes: 60 },
          link: `https://here.example/change-password?token=${token}`,
        },
      },
    ]);
    spaces.clock.advance(3_599_999);
    expect((await tokens.peek('change-password', token)).state).toBe('good');
    spaces.clock.advance(1);
    expect((await tokens.peek('change-password', token)).state).toBe('expired');
    await spaces.database.query('update person set disabled = true where user_id = $1', [ken]);
    await spaces.addPerson(spaces.elsewhere, 'foreign@example.com');
    for (const email of ['ken@example.com', 'foreign@example.com'])
      expect((await ask(email)).text).toBe(asked.text);
    expect(spaces.mails).toHaveLength(1);
    for (const email of ['', 'hana', 'a b@c']) expect((await ask(email)).status).toBe(400);
    expect(audited).toEqual([]);
  });

  test('makes whoever asks for more than five mails wait, and says for how long', async () => {
    const { visit } = open();
    const ask = () => visit('/change-password', { form: { email: 'hana@example.com' } });
    for (let at = 0; at < 5; at++) expect((await ask()).status).toBe(200);
    spaces.clock.advance(9_001);
    const refused = await ask();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '21']);
    expect(refused.text).toContain('Try again in 21 s.');
    spaces.clock.advance(20_999);
    expect((await ask()).status).toBe(200);
  });

  test('logs what fails after the reply, which is the same', async () => {
    const { visit, pages } = open({
      mail: { queue: () => Promise.reject(new Error('no mail')), wake: () => {}, canSend: true },
    });
    expect((await visit('/change-password', { form: { email: 'hana@example.com' } })).status).toBe(200);
    await pages.settle();
    expect(spaces.logLines).toMatchObject([
      { level: 'error', message: 'Account page failed', error: 'no mail' },
    ]);
  });

  test('sets the new one by its link, once: guesses are forgotten, the browser is known, the user is told', async () => {
    const { visit, issue, context } = open();
    const token = await issue('change-password');
    const limit = createAttemptLimit(context);
    const guess = () =>
      limit.begin({ purpose: 'password', account: 'hana@example.com', address: '192.0.2.1' });
    for (let at = 0; at < 5; at++) await guess();
    expect((await guess()).wait).toBeGreaterThan(0);
    const form = { password: better, repeat: better };
    for (const given of ['short', 'hana@example.com1']) {
      const refused = await visit('/change-password', { token, form: { password: given, repeat: given } });
      expect([refused.status, refused.cookies]).toEqual([400, []]);
      expect(refused.text).toContain('id="password-fault"');
    }
    const done = await visit('/change-password', { token, form });
    expect(done.status).toBe(200);
    expect(done.cookies).toEqual([
      expect.stringMatching(/^__Host-yagura_device=[\w-]{43};/),
      expect.stringMatching(/^__Host-yagura_change-password=; .*Max-Age=0;/),
    ]);
    expect((await guess()).wait).toBe(0);
    expect(await spaces.column('select second_step from known_device')).toEqual([false]);
    expect(await spaces.column('select user_id from person where password_hash is not null')).toEqual([hana]);
    expect(spaces.mails).toMatchObject([{ kind: 'password-changed', to: 'hana@example.com' }]);
    expect(spaces.mails[0]!.params).toEqual({
      ...{ name: 'Hana', space: 'here', link: 'https://here.example/change-password' },
      time: new Date(spaces.clock.now()).toISOString().slice(0, 16).replace('T', ' '),
    });
    expect(audited).toMatchObject([{ action: 'change-password', actor: { userId: hana, name: 'Hana' } }]);
    expect((await visit('/change-password', { token, form })).status).toBe(410);
  });

  test('keeps its link when the new one cannot be stored or told', async () => {
    const queue = () => Promise.reject(new Error('no mail'));
    const failing = open({ mail: { queue, wake: () => {}, canSend: true } });
    const token = await failing.issue('change-password');
    const form = { password: better, repeat: better };
    expect(await failing.visit('/change-password', { token, form })).toMatchObject({
      status: 500,
      cookies: [],
    });
    expect(await spaces.column('select user_id from person where password_hash is not null')).toEqual([]);
    expect((await open().visit('/change-password', { token, form })).status).toBe(200);
  });

  test('promises no mail where none can be sent, and says who helps', async () => {
    const { visit, pages } = open({ mail: { queue: async () => {}, wake: () => {}, canSend: false } });
    for (const options of [{}, { form: { email: 'hana@example.com' } }])
      expect((await visit('/change-password', options)).text).toContain('yagura-server person reset');
    await pages.settle();
    expect(await spaces.column('select 1 from one_time_token')).toEqual([]);
  });

  test('says that there are no passwords, whatever the link', async () => {
    const { visit, issue } = open({ passwordsEnabled: false });
    const token = await issue('change-password');
    for (const options of [{}, { token }, { token, form: { password: better, repeat: better } }])
      expect((await visit('/change-password', options)).status).toBe(404);
    expect(await spaces.column('select used_at from one_time_token')).toEqual([null]);
  });
});

describe('the page of a new address', () => {
  const data = { email: 'new@example.com', old: 'hana@example.com' };

  test('changes that of its user, once, and tells the old one', async () => {
    const { visit, issue } = open();
    await spaces.addPerson(spaces.elsewhere, 'new@example.com');
    const token = await issue('change-email', data);
    const shown = await visit('/change-email', { token });
    expect(shown.text).toContain('new@example.com');
    expect(await emails()).toEqual(['hana@example.com', 'ken@example.com', 'new@example.com']);
    const before = spaces.cleared();
    const done = await visit('/change-email', { token, form: {} });
    expect([done.status, done.cookies.length]).toEqual([200, 1]);
    expect(await emails()).toEqual(['new@example.com', 'ken@example.com', 'new@example.com']);
    expect(spaces.cleared()).toBe(before + 1);
    expect(spaces.mails).toMatchObject([
      {
        ...{ kind: 'email-changed', to: 'hana@example.com', language: 'en' },
        params: { name: 'Hana', space: 'here', days: 7 },
      },
    ]);
    expect(spaces.mails[0]!.params.time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(audited).toMatchObject([{ action: 'change-email', actor: { userId: hana, name: 'Hana' } }]);
    expect((await visit('/change-email', { token, form: {} })).status).toBe(410);
    expect(spaces.mails).toHaveLength(1);
  });

  test('leaves everything as it is when the address was taken meanwhile', async () => {
    const { visit, issue } = open();
    const token = await issue('change-email', data);
    await spaces.addPerson(spaces.here, 'NEW@example.com');
    const refused = await visit('/change-email', { token, form: {} });
    expect([refused.status, refused.text.includes('already been used')]).toEqual([410, true]);
    expect(await emails()).toContain('hana@example.com');
    expect([spaces.mails, audited]).toEqual([[], []]);
  });

  test('is asked for by a user of the space, with mails, for an address that differs', async () => {
    const { pages, tokens } = open();
    const request = (email: string, userId = hana, from = pages) =>
      from.requestEmailChange(userId, { email, language: 'en' });
    const foreign = await spaces.addPerson(spaces.elsewhere, 'taken@example.com');
    await expect(request('x@example.com', foreign)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(request('Hana@example.com')).rejects.toMatchObject({ invalidParams: [{ name: 'email' }] });
    const silent = open({ mail: { ...spaces.here.mail, canSend: false } }).pages;
    await expect(request('x@example.com', hana, silent)).rejects.toMatchObject({ kind: 'conflict' });
    await request('KEN@example.com');
    expect(spaces.mails).toEqual([]);
    await request('taken@example.com');
    const [link, back] = spaces.mails.map(({ params }) => String(params.link).split('token=')[1]!);
    expect(spaces.mails).toEqual([
      {
        ...{ kind: 'change-email', to: 'taken@example.com', language: 'en' },
        params: { name: 'Hana', space: 'here', link: expect.stringContaining('/change-email?'), hours: 24 },
      },
      {
        ...{ kind: 'email-change-asked', to: 'hana@example.com', language: 'en' },
        params: {
          ...{ name: 'Hana', space: 'here', who: 'Hana', email: 'taken@example.com', days: 7 },
          time: new Date(spaces.clock.now()).toISOString().slice(0, 16).replace('T', ' '),
          link: expect.stringContaining('/restore-email?'),
        },
      },
    ]);
    const states = async () => [
      (await tokens.peek('change-email', link!)).state,
      (await tokens.peek('restore-email', back!)).state,
    ];
    spaces.clock.advance(86_400_000 - 1);
    expect(await states()).toEqual(['good', 'good']);
    spaces.clock.advance(1);
    expect(await states()).toEqual(['expired', 'good']);
    spaces.clock.advance(6 * 86_400_000 - 1);
    expect(await states()).toEqual(['expired', 'good']);
    spaces.clock.advance(1);
    expect(await states()).toEqual(['expired', 'expired']);
  });
});

describe('the page that takes a change of the address back', () => {
  const data = { email: 'thief@example.com', old: 'hana@example.com' };
  beforeEach(async () => {
    for (const userId of [hana, ken]) {
      await spaces.database.query(
        `update person set password_hash = 'x', token_epoch = 0 where user_id = $1`,
        [userId],
      );
      await spaces.database.query(
        `insert into known_device (space_id, user_id, token_hash, second_step, expires_at, created_at)
         values ($1, $2, '\\x01', false, now(), now())`,
        [spaces.here.spaceId, userId],
      );
    }
  });
  const accounts = async () => {
    const { rows } = await spaces.database.query<{ text: string }>(
      `select concat_ws(' ', email, password_hash is not null, token_epoch,
         (select count(*) from known_device d where d.user_id = p.user_id)) as text from person p order by user_id`,
    );
    return rows.map(({ text }) => text);
  };

  test('ends sessions, password, browsers and links of that user alone, and gives a link for a new password', async () => {
    const { visit, issue, tokens } = open();
    await spaces.database.query(`update person set email = 'thief@example.com' where user_id = $1`, [hana]);
    const token = await issue('restore-email', data);
    const others = [
      await issue('change-email'),
      await issue('restore-email'),
      await issue('change-password'),
    ];
    const link = await issue('link-account');
    const before = spaces.cleared();
    const done = await visit('/restore-email', { token, form: {} });
    expect(done.status).toBe(200);
    expect(await accounts()).toEqual(['hana@example.com f 1 0', 'ken@example.com t 0 1']);
    expect(spaces.cleared()).toBe(before + 1);
    for (const [at, purpose] of (['change-email', 'restore-email', 'change-password'] as const).entries())
      expect((await tokens.peek(purpose, others[at]!)).state).toBe('unknown');
    expect((await tokens.peek('link-account', link)).state).toBe('unknown');
    const next = /href="\/change-password\?token=([\w-]+)"/.exec(done.text)![1]!;
    spaces.clock.advance(3_599_999);
    expect((await tokens.peek('change-password', next)).state).toBe('good');
    spaces.clock.advance(1);
    expect((await tokens.peek('change-password', next)).state).toBe('expired');
    expect(audited).toMatchObject([{ action: 'restore-email', actor: { userId: hana, name: 'Hana' } }]);
    expect(spaces.logLines).toMatchObject([{ level: 'warn', userId: hana }]);
  });

  test('gives no link for a password where there are none', async () => {
    const { visit, issue } = open({ passwordsEnabled: false });
    await spaces.database.query(`update person set email = 'thief@example.com' where user_id = $1`, [hana]);
    const done = await visit('/restore-email', { token: await issue('restore-email', data), form: {} });
    expect(done.text).not.toContain('/change-password');
    expect((await accounts())[0]).toBe('hana@example.com f 1 0');
  });

  test('before the change is confirmed stops it and nothing else', async () => {
    const { visit, issue, tokens } = open();
    const [token, change] = [
      await issue('restore-email', { ...data, old: 'Hana@example.com' }),
      await issue('change-email', data),
    ];
    expect((await visit('/restore-email', { token })).text).toContain('thief@example.com');
    const done = await visit('/restore-email', { token, form: {} });
    expect(done.text).toContain('is still Hana@example.com');
    expect(await accounts()).toEqual(['hana@example.com t 0 1', 'ken@example.com t 0 1']);
    expect((await tokens.peek('change-email', change)).state).toBe('unknown');
  });

  test('does nothing when the old address belongs to somebody else by now', async () => {
    const { visit, issue } = open();
    const token = await issue('restore-email', { email: 'hana@example.com', old: 'ken@example.com' });
    expect((await visit('/restore-email', { token, form: {} })).status).toBe(410);
    expect(await accounts()).toEqual(['hana@example.com t 0 1', 'ken@example.com t 0 1']);
    expect(audited).toEqual([]);
  });
});

describe('the page that links an account', () => {
  const data = { issuer: 'https://id.example', subject: 'one', account: 'hana@work.example', back: '/go-on' };
  const links = () => spaces.column(`select user_id || ' ' || issuer || ' ' || subject from person_link`);
  beforeEach(() => createUserAccounts(spaces.here).setPassword(hana, password));

  test('needs the password of the user, and a code where there is a second step', async () => {
    const { visit, issue, context, notices } = open();
    const totp = createTotp(context);
    const { secret } = await totp.prepare(hana, 'hana@example.com');
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: spaces.clock.now() });
    const token = await issue('link-account', data);
    expect((await visit('/link-account', { token })).text).not.toContain('id="code"');
    await totp.enable(hana, code(), 'wrong');
    spaces.clock.advance(30_000);
    const shown = await visit('/link-account', { token });
    for (const part of ['id="code"', 'hana@work.example', 'hana@example.com'])
      expect(shown.text).toContain(part);
    for (const [form, fault] of [
      [{ code: code() }, 'password'],
      [{ password: `${password}x`, code: code() }, 'password'],
      [{ password }, 'code'],
      [{ password, code: '000000' }, 'code'],
    ] as const) {
      const refused = await visit('/link-account', { token, form });
      expect([refused.status, refused.cookies]).toEqual([400, []]);
      expect(refused.text).toContain(`id="${fault}-fault"`);
    }
    expect(await links()).toEqual([]);
    await spaces.database.query('delete from signin_budget');
    const done = await visit('/link-account', { token, form: { password, code: code() } });
    expect(done.status).toBe(200);
    expect(done.text).toContain('href="/go-on"');
    expect(await links()).toEqual([`${hana} https://id.example one`]);
    expect(notices).toEqual([[hana, 'account-linked', 'en', { account: 'hana@work.example' }]]);
    expect(audited.filter(({ outcome }) => outcome === 'done')).toMatchObject([
      { action: 'link-account', actor: { userId: hana, name: 'Hana' } },
    ]);
    expect((await visit('/link-account', { token, form: { password } })).status).toBe(410);
  });

  test('counts wrong passwords like those of the sign-in, and a right one takes them back', async () => {
    const { visit, issue } = open();
    const token = await issue('link-account', data);
    const link = (given: string) => visit('/link-account', { token, form: { password: given } });
    for (let at = 0; at < 4; at++) expect((await link('x'.repeat(1_025))).status).toBe(400);
    const fifth = await link('wrong');
    expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '30']);
    spaces.clock.advance(29_500);
    const early = await link(password);
    expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
    spaces.clock.advance(500);
    expect((await link(password)).status).toBe(200);
    expect(await spaces.column(`select 1 from signin_budget where kind = 'password pair'`)).toEqual([]);
  });

  test('says what to do without a link, and nothing of a user who is gone', async () => {
    const { visit, issue } = open();
    expect((await visit('/link-account')).status).toBe(200);
    const token = await issue('link-account', data);
    await spaces.database.query('update person set disabled = true where user_id = $1', [hana]);
    const reply = await visit('/link-account', { token, form: { password } });
    expect([reply.status, reply.cookies.length]).toEqual([404, 1]);
  });
});
