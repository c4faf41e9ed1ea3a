import { resources } from '@yagura/core/all';
import { languages } from '@yagura/core/i18n/language';
import { expect, test } from 'vitest';
import { auditLabels } from './audit-labels.server.ts';

const actions = [
  'create',
  'edit',
  'remove',
  'sign-in',
  'import',
  'import-file',
  'export',
  'export-file',
  'move',
];
const accountActions = [
  'activate-invitation',
  'authorize-cli',
  'change-email',
  'change-password',
  'link-account',
  'restore-email',
];

test.each(languages)('every action and resource has a text in %s', async (language) => {
  const label = await auditLabels(language);
  for (const { name, calls } of resources) {
    const audited = Object.entries(calls).filter(([, call]) => call.audited ?? call.method !== 'GET');
    for (const action of [...actions, ...accountActions, ...audited.map(([call]) => call)]) {
      const shown = label({ action, resource: name });
      expect(shown.action, `${name} ${action}`).not.toBe(action);
      if (language === 'ja') expect(shown.resource).not.toMatch(/^[a-z-]+$/);
    }
  }
});

test('other names, and what a record says besides, stay as they are', async () => {
  const label = await auditLabels('en');
  const row = { action: 'POST', resource: 'gone', detail: 'POST /x', number: 1 };
  expect(label(row)).toEqual(row);
});

test('names the browser', async () => {
  const label = await auditLabels('ja');
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
  expect(label({ action: 'sign-in', resource: 'sign-in', userAgent })).toEqual({
    action: 'サインイン',
    resource: 'サインイン',
    userAgent: 'Firefox 142 (Linux)',
  });
});

test.each([
  ['en', 'pwd otp mfa', 'password, code, two-step verification'],
  ['ja', 'hwk user mfa', 'パスキー、端末での本人確認、多要素認証'],
  ['ja', 'external fpt', '外部プロバイダー、fpt'],
] as const)('says in %s how somebody signed in: %s', async (language, detail, shown) => {
  const label = await auditLabels(language);
  expect(label({ action: 'sign-in', resource: 'sign-in', detail })).toMatchObject({ detail: shown });
});
