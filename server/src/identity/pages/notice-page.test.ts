// Error pages of the provider: whose fault it is, and when to try again.
import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { expect, test } from 'vitest';
import { errorPage } from './notice-page.ts';

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
