import { expect, it } from 'vitest';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { stubApi } from '../../signin/test/stub-api.ts';
import { getClientSettings } from './developer-mode.server.ts';

const path = { profile: '/api/internal/profile', settings: '/api/internal/settings' };
const profile = { userId: 'u', displayName: 'Hana', privileged: false, roles: ['sonar:viewer'] };

const request = (cookie = '') => new Request('http://console.test/', { headers: { cookie } });
const on = 'yagura.developer-mode=true';

it.each([
  [false, '', 'off'],
  [false, on, 'browser'],
  [true, '', 'server'],
  [true, on, 'server'],
])('the setting %s of the server and the cookie "%s" mean %s', async (developerMode, cookie, expected) => {
  const api = stubApi('t', { [path.settings]: { spaceName: 'Shop', developerMode } });
  expect(await getClientSettings(api, request(cookie))).toEqual({
    spaceName: 'Shop',
    developerMode: expected,
  });
});

it('has no space without the settings', async () => {
  expect(await getClientSettings(stubApi('t', {}), request(on))).toEqual({
    spaceName: null,
    developerMode: 'browser',
  });
});

it('a user without profile or role map is incomplete', async () => {
  const roleMap = '/api/internal/apps/policy/role-map';
  const load = (token: string, replies: Record<string, unknown>) => getCurrentUser(stubApi(token, replies));
  expect(await load('nothing', {})).toMatchObject({ profile: null, incomplete: true });
  expect(await load('no roles', { [path.profile]: profile })).toMatchObject({
    profile,
    permissions: [],
    incomplete: true,
  });
  const all = await load('all', {
    [path.profile]: profile,
    [roleMap]: { 'sonar:viewer': ['sonar:networks:*'] },
  });
  expect(all).toMatchObject({ profile, incomplete: false });
});
