// Error pages of the provider: whose fault it is, and when to try again.
import { Problem } from '@yagura/core/http/problem';
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import { isTemporary } from '../../http/temporary-error.ts';
import {
  accountPageNotice,
  confirmSignOutPage,
  errorPage,
  expiredPage,
  failurePage,
  notFoundPage,
  signedOutPage,
} from './notice-page.ts';

const t = createTranslator('en', en);
const pageOf = (status: number) =>
  errorPage({ language: 'en', t, home: 'https://yagura.example/', status, code: 'server_error' });

test.each([400, 499])('a request that is not valid (%i) is to be started again', (status) => {
  const page = pageOf(status);
  expect(page.status).toBe(status);
  expect(page.text).toContain(t('signin.error'));
  expect(page.text).not.toContain(t('signin.error-server'));
});

test.each([500, 503])('a fault of the server (%i) is told as one, with the code for support', (status) => {
  const page = pageOf(status);
  expect(page.text).toContain(t('signin.error-server'));
  expect(page.text).not.toContain(t('signin.error'));
  expect(page.text).toContain(t('signin.error-code', { code: 'server_error' }));
});

test('only a server that is away names a time to try again', () => {
  const waits = [400, 500, 503].map((status) => pageOf(status).headers['retry-after']);
  expect(waits).toEqual([undefined, undefined, '5']);
});

test.each([
  [new StoreUnavailable('gone'), true],
  [new Problem('unavailable'), true],
  [new Problem('conflict'), false],
  [Object.assign(new Error('gone'), { kind: 'unavailable' }), false],
  [new Error('gone'), false],
  [undefined, false],
])('%s is temporary: %s', (error, expected) => {
  expect(isTemporary(error)).toBe(expected);
  const page = failurePage({ language: 'en', t, home: '/' }, error);
  expect([page.status, page.text.includes('temporarily_unavailable')]).toEqual([
    expected ? 503 : 500,
    expected,
  ]);
});

test.each([
  ['expired', expiredPage, 400, 'signin.expired'],
  ['not found', notFoundPage, 404, 'signin.missing'],
  ['signed out', signedOutPage, 200, 'signin.signed-out'],
] as const)('the page for %s has one message and a way on', (_name, make, status, key) => {
  const page = make({ language: 'en', t, home: 'https://yagura.example/' });
  expect([page.status, page.headers['retry-after']]).toEqual([status, undefined]);
  expect(page.text).toContain(t(key));
  expect(page.text).toContain('class="button" href="https://yagura.example/"');
});

test('the question before a sign-out has the form of the provider, and a notice its own link', () => {
  const question = confirmSignOutPage({ language: 'en', t, form: '<form id="op.logoutForm"></form>' });
  expect(question.status).toBe(200);
  expect(question.text).toContain('<form id="op.logoutForm"></form>');
  expect(question.text).toContain('name="logout" value="yes" autofocus');
  const link = { href: '/a?b=1&c=2', text: 'On & on' };
  const notice = accountPageNotice({ language: 'en', t, status: 410, title: 'T', text: '<b>', link });
  expect(notice.status).toBe(410);
  expect(notice.text).toContain('<p>&lt;b&gt;</p>');
  expect(notice.text).toContain('href="/a?b=1&amp;c=2">On &amp; on</a>');
});
