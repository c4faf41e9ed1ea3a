// The loader of a scope's settings, by role, and its action.
import { expect, test } from 'vitest';
import { loadPage } from '../../../signin/test/load-page.ts';
import { signedInArgs, testOrigin } from '../../../signin/test/signed-in-args.ts';
import { action, loader } from './scope-settings.tsx';

const scope = '/api/apps/alerthub/scopes/s';
const listOf = (...items: object[]) => ({ items, total: items.length, limit: 1000, offset: 0 });
const replies = {
  [scope]: { scopeId: 's', displayName: 'Shop', thresholds: { warning: 1, incident: 2 }, recoveryTime: null },
  [`${scope}/severities`]: listOf({ name: 'disk', value: 1, status: 'warning' }),
  [`${scope}/attributes`]: listOf({ name: 'site', value: 'Tokyo' }),
};
const page = { address: '/apps/alerthub/scopes/s/settings', params: { scopeId: 's' }, replies };

test.each([
  { role: 'alerthub:viewer' as const, allowed: false },
  { role: 'alerthub:administrator' as const, allowed: true },
])('$role reads the settings and the attributes; may change them: $allowed', async ({ role, allowed }) => {
  const data = await loadPage(loader, { ...page, roles: [role] });
  expect(data.values).toMatchObject({ displayName: 'Shop', recoveryTime: null });
  expect(data.attributes.rows).toMatchObject([{ name: 'site', value: 'Tokyo' }]);
  expect(data.severities.rows).toMatchObject([{ name: 'disk' }]);
  expect(data).toMatchObject({
    mayEdit: allowed,
    severityPermissions: { add: allowed, remove: allowed },
    attributePermissions: { add: allowed, remove: allowed },
  });
});

test.each([
  ['en', 'This field is required'],
  ['ja', '必須項目です'],
])('an attribute without a name is refused in the language of the page: %s', async (language, reason) => {
  const form = { intent: 'set-attribute', name: '  ', value: 'Tokyo' };
  const headers = { origin: testOrigin, 'accept-language': language };
  const fetch = async () => Response.json({});
  const args = await signedInArgs({ ...page, fetch, headers, form });
  expect(await action(args)).toMatchObject({
    data: { problem: { invalidParams: [{ name: 'name', reason }] } },
  });
});
