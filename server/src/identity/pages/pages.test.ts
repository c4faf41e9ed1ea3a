import type { IncomingMessage } from 'node:http';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Language } from '@yagura/core/i18n/translator';
import { expect, test } from 'vitest';
import { deviceCodePage, deviceConfirmPage } from './device-page.ts';
import { formPage } from './form-page.ts';
import { formatWaitTime } from './format-wait-time.ts';
import { Html, html } from './html.ts';
import { languageOf, queryOf } from './language.ts';
import { type SecondStepPageOptions, secondStepPage } from './second-step-page.ts';
import { type SignInPageOptions, type SignInProblem, signInPage } from './sign-in-page.ts';

const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
const t = translators.en;
const common = { language: 'en' as Language, t, action: '/oidc/interaction/one', passkey: null };
const passkey = { challenge: 'abc' };
const signIn = (more: Partial<SignInPageOptions> = {}) =>
  signInPage({
    ...{ ...common, passwords: true, external: undefined, email: '', returnOrigin: undefined },
    ...more,
  });
const secondStep = (more: Partial<SecondStepPageOptions> = {}) =>
  secondStepPage({ ...common, rememberedDays: 30, returnOrigin: undefined, ...more });
const inputOf = (text: string, id: string) => new RegExp(`<input id="${id}"[^>]*>`).exec(text)?.[0] ?? '';
const policyOf = ({ headers }: { headers: Record<string, string> }) => headers['content-security-policy']!;

test.each<[SignInProblem | undefined, number, string | undefined]>([
  [undefined, 200, undefined],
  [{ kind: 'wrong' }, 400, undefined],
  [{ kind: 'passkey' }, 400, undefined],
  [{ kind: 'fill-in' }, 400, undefined],
  [{ kind: 'foreign' }, 403, undefined],
  [{ kind: 'busy' }, 503, undefined],
  [{ kind: 'wait', milliseconds: 20_001 }, 429, '21'],
])('the problem %j is answered with %i by both steps', (problem, status, retryAfter) => {
  const options = problem ? { problem } : {};
  for (const page of [signIn(options), secondStep(options)]) {
    expect([page.status, page.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(page.text.includes('id="problem"')).toBe(problem !== undefined);
  }
});

test('the sign-in page has the ways in that there are', () => {
  const plain = signIn();
  expect(plain.text).toContain('id="password"');
  expect(plain.text).toContain('href="/change-password"');
  expect(plain.text).not.toMatch(/external=start|passkey-form|<script/);
  const all = signIn({ passkey, external: 'Company & Co' });
  expect(all.text).toContain('id="password"');
  expect(all.text).toContain('data-options="{&quot;challenge&quot;:&quot;abc&quot;}"');
  expect(all.text).toContain('<script>');
  expect(policyOf(all)).toMatch(/script-src 'sha256-/);
  expect(all.text).toContain('href="/oidc/interaction/one?external=start">Continue with Company &amp; Co<');
  const alone = signIn({ passwords: false, external: 'Company' });
  expect(alone.text).not.toMatch(/id="password"|change-password/);
  expect(alone.text).toContain('?external=start');
});

test('the first empty field has the focus, and a refusal describes the fields', () => {
  const empty = signIn().text;
  expect(inputOf(empty, 'email')).toMatch(/value="" autofocus>$/);
  expect(inputOf(empty, 'password')).not.toContain('autofocus');
  const known = signIn({ email: 'a@example.com', problem: { kind: 'wrong' } }).text;
  expect(inputOf(known, 'email')).toMatch(
    /value="a@example.com" aria-invalid="true" aria-describedby="problem">$/,
  );
  expect(inputOf(known, 'password')).toMatch(/aria-invalid="true" aria-describedby="problem" autofocus>$/);
  expect(empty).not.toContain('aria-invalid="true"');
  for (const page of [signIn({ problem: { kind: 'passkey' } }), secondStep({ problem: { kind: 'passkey' } })])
    expect(page.text).not.toMatch(/aria-invalid="true"|describedby="[^"]*problem/);
});

test('the form of a sign-in leads back to its client alone, and each page to the other language', () => {
  for (const make of [signIn, secondStep]) {
    expect(policyOf(make())).toContain("form-action 'self';");
    expect(policyOf(make({ returnOrigin: 'https://a.example' }))).toContain(
      "form-action 'self' https://a.example;",
    );
    expect(make().text).toContain('href="/oidc/interaction/one?lng=ja" lang="ja"');
    const japanese = make({ language: 'ja', t: translators.ja });
    expect(japanese.text).toContain('href="/oidc/interaction/one?lng=en" lang="en"');
    expect(japanese.headers['content-language']).toBe('ja');
  }
});

test('the second step asks for a code, and for a passkey where the user has one', () => {
  const plain = secondStep();
  expect(plain.text).not.toMatch(/passkey-form|<script|aria-invalid="true"/);
  expect(plain.text).toContain('30 days');
  expect(inputOf(plain.text, 'code')).toContain('aria-describedby="code-hint"');
  const refused = secondStep({ passkey, problem: { kind: 'wrong' } });
  expect(refused.text).toContain('id="passkey-form"');
  expect(refused.text).toContain('<script>');
  expect(refused.text).toContain(t('factor.wrong-code'));
  expect(inputOf(refused.text, 'code')).toContain('aria-describedby="code-hint problem" aria-invalid="true"');
  expect(secondStep({ problem: { kind: 'passkey' } }).text).toContain(t('factor.wrong-passkey'));
});

test.each([
  [1, 'Try again in 1 s.'],
  [89_001, 'Try again in 90 s.'],
  [90_000, 'Try again in 90 s.'],
  [90_001, 'Try again in 2 min.'],
  [120_000, 'Try again in 2 min.'],
  [120_001, 'Try again in 3 min.'],
])('a wait of %i ms is told as %j', (milliseconds, text) => {
  expect(formatWaitTime(t, milliseconds)).toContain(text);
});

test('values in a page are escaped, HTML is not, and what is absent leaves nothing', () => {
  const parts = [undefined, null, false, 0, `<&>"'`] as const;
  const made = html`${parts[0]}${parts[1]}${parts[2]}${parts[3]}|${parts[4]}|${new Html('<b>')}|${[html`<i>`, html`${'<'}`]}.`;
  expect(made.text).toBe('0|&lt;&amp;&gt;&quot;&#39;|<b>|<i>&lt;.');
});

test.each([
  [{ url: '/a?lng=ja', cookie: 'lng=en', accept: 'en' }, 'en', 'ja'],
  [{ url: '/a?lng=xx', cookie: 'lng=ja', accept: 'ja' }, 'en', 'en'],
  [{ url: '/a', cookie: 'a=b; lng = en', accept: 'ja' }, 'ja', 'en'],
  [{ url: '/a', cookie: 'xlng=en; lng=xx', accept: 'ja' }, undefined, 'ja'],
  [{ url: '/a', accept: 'ja' }, 'fr en-US ja', 'en'],
  [{ url: '/a', accept: 'en' }, 'fr', 'en'],
  [{ url: '/a', accept: 'en' }, 7, 'en'],
  [{ url: undefined, accept: 'en' }, undefined, 'en'],
])(
  'a request %j for %j gets the language %s',
  ({ url, cookie, accept }: Record<string, string | undefined>, asked, language) => {
    const headers = { cookie, 'accept-language': accept };
    expect(languageOf({ url, headers } as unknown as IncomingMessage, asked)).toBe(language);
  },
);

test('the query of a request is what follows the first question mark', () => {
  const query = (url: string | undefined) => queryOf({ url } as IncomingMessage).toString();
  expect([query('/a?b=1?2'), query('/a'), query('?b=1'), query(undefined)]).toEqual([
    'b=1%3F2',
    '',
    'b=1',
    '',
  ]);
});

test('a form page focuses the first wrong field, else the first empty one, and answers accordingly', () => {
  const field = { label: 'L', type: 'text', autocomplete: 'off', maxLength: 9 } as const;
  const page = (fields: { name: string; value?: string; error?: string }[], more: object = {}) =>
    formPage({
      ...{ language: 'en', t, title: 'T', action: '/form', submit: 'Go' },
      fields: fields.map((one) => ({ ...field, ...one })),
      ...more,
    });
  const focusOf = ({ text }: { text: string }) => /<input id="(\w+)"[^>]* autofocus>/.exec(text)?.[1];
  const full = page([
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]);
  expect([full.status, focusOf(full)]).toEqual([200, 'a']);
  expect(focusOf(page([{ name: 'a', value: '1' }, { name: 'b' }]))).toBe('b');
  const wrong = page([{ name: 'a' }, { name: 'b', error: 'No' }]);
  expect([wrong.status, focusOf(wrong)]).toEqual([400, 'b']);
  const refused = page([{ name: 'a' }], {
    problem: 'Wait',
    links: [{ href: '/x', text: 'X' }],
    lead: 'Lead',
  });
  expect(refused.status).toBe(400);
  for (const part of ['Wait', '<a href="/x">X</a>', '<p class="quiet">Lead</p>'])
    expect(refused.text).toContain(part);
  expect(page([], { problem: 'Wait', status: 429, retryAfterSeconds: 7 })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '7' },
  });
  expect(full.text).not.toMatch(/class="(quiet|problem|more)"/);
  const japanese = page([], { language: 'ja', t: translators.ja });
  expect(japanese.text).toContain('href="/form?lng=en"');
  expect(full.text).toContain('href="/form?lng=ja"');
});

test('the pages of a device name the problem and the device that asks', () => {
  const device = { language: 'en' as Language, t, action: '/oidc/device', xsrf: 'secret' };
  const plain = deviceCodePage({ ...device, userCode: 'BBBB', status: 200 });
  expect(plain.text).not.toMatch(/id="problem"|aria-invalid="true"/);
  expect(plain.text).toContain('href="?lng=ja"');
  expect(inputOf(plain.text, 'user_code')).toContain('value="BBBB"');
  const refused = deviceCodePage({
    ...device,
    userCode: '',
    status: 429,
    problem: 'Wait',
    retryAfterSeconds: 5,
  });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
  expect(inputOf(refused.text, 'user_code')).toContain('aria-invalid="true" aria-describedby="problem"');
  expect(deviceCodePage({ ...device, language: 'ja', userCode: '', status: 200 }).text).toContain('?lng=en');
  const asked = { client: 'CLI', address: '192.0.2.1', userAgent: '' };
  const confirm = deviceConfirmPage({ ...device, ...asked, userCode: 'BBBBCCCC', shownCode: 'BBBB-CCCC' });
  expect(confirm.status).toBe(200);
  for (const part of ['BBBB-CCCC', 'value="BBBBCCCC"', '<dd>CLI</dd>', '<dd>192.0.2.1</dd>', '<dd>-</dd>'])
    expect(confirm.text).toContain(part);
});
