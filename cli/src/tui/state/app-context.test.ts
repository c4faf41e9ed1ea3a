import { Problem } from '@yagura/core/http/problem';
import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Session } from '../../signin/session.ts';
import {
  type AppContext,
  canList,
  loadAppContext,
  nounFor,
  refusal,
  visibleResources,
} from './app-context.ts';

const profile = { displayName: 'Taro', privileged: false, roles: ['operator'] };
const map = { operator: ['alerthub:scopes:list', 'alerthub:scopes:get'] };

/** Loads the context from a server with these replies; a reply may be a status of a problem. */
async function loaded(kind: 'token' | 'person', replies: Record<string, object | string>) {
  const asked: string[] = [];
  const session = {
    origin: 'http://space.example:8080',
    credential: { kind },
    transport: {
      origin: 'http://space.example:8080',
      fetch: async (url: string) => {
        const { pathname } = new URL(url);
        asked.push(pathname);
        const reply = replies[pathname] ?? 'forbidden';
        if (typeof reply === 'object') return Response.json(reply);
        const status = { forbidden: 403, 'sign-in-required': 401, unavailable: 503 }[reply]!;
        return Response.json(
          { type: `urn:yagura:problem:${reply}`, title: reply, status },
          { status, headers: { 'content-type': 'application/problem+json' } },
        );
      },
    },
  } as unknown as Session;
  const { t } = await testContext();
  const settings = { t, language: 'en', readonly: true } as const;
  const context = await loadAppContext(session, settings, new AbortController().signal);
  return { context, asked };
}

const paths = {
  space: '/api/space',
  profile: '/api/internal/profile',
  roles: '/api/internal/apps/policy/role-map',
};

describe('the context of the view', () => {
  test('has the person, the space and what the person may do', async () => {
    const { context } = await loaded('person', {
      [paths.space]: { displayName: 'Harbour' },
      [paths.profile]: profile,
      [paths.roles]: map,
    });
    expect(context).toMatchObject({
      spaceName: 'Harbour',
      userName: 'Taro',
      isUser: true,
      readonly: true,
      language: 'en',
      roles: map,
    });
    expect(canList(context, resourceNamed('scope'))).toBe(true);
    expect(canList(context, resourceNamed('rule'))).toBe(false);
  });

  test('without the space has its address, and without the roles no permission', async () => {
    const { context } = await loaded('person', { [paths.profile]: profile });
    expect(context).toMatchObject({ spaceName: 'space.example:8080', roles: {} });
    expect(canList(context, resourceNamed('scope'))).toBe(false);
  });

  test('without the person is not there', async () => {
    const failure = loaded('person', { [paths.profile]: 'sign-in-required', [paths.space]: {} });
    await expect(failure).rejects.toMatchObject({ kind: 'sign-in-required' });
  });

  test('of a token leaves permissions to the server, and asks for no person', async () => {
    const { context, asked } = await loaded('token', { [paths.space]: { displayName: 'Harbour' } });
    expect(context).toMatchObject({ userName: 'API token', isUser: false, permissions: 'everything' });
    expect(asked).toEqual([paths.space]);
  });

  test('of a token that may not read the space is there; of one that is not known it is not', async () => {
    const { context } = await loaded('token', {});
    expect(context.spaceName).toBe('space.example:8080');
    const failure = loaded('token', { [paths.space]: 'sign-in-required' });
    await expect(failure).rejects.toBeInstanceOf(Problem);
  });
});

describe('what is refused', () => {
  test('is everything where nothing may be changed', async () => {
    const context = await testContext('en', { readonly: true });
    expect(refusal(context, 'scope', 'alerthub:scopes:update')).toBe(context.t('tui.readonly.refused'));
  });

  test('is what only a person can do, for a token', async () => {
    const token = await testContext('en', { isUser: false });
    expect(refusal(token, 'passkey', 'x')).toBe(token.t('tui.person-only'));
    expect(refusal(token, 'scope', 'alerthub:scopes:update')).toBeUndefined();
    expect(canList(token, resourceNamed('passkey'))).toBe(false);
    expect(canList(await testContext(), resourceNamed('passkey'))).toBe(true);
  });

  test('names the permission, and the roles that have it', async () => {
    const none = await testContext('en', { permissions: [] });
    const permission = 'alerthub:scopes:list';
    expect(refusal(none, 'scope', permission)).toBe(none.t('tui.forbidden', { permission }));
    const some = await testContext('en', { permissions: [], roles: map });
    expect(refusal(some, 'scope', permission)).toBe(
      some.t('tui.forbidden.roles', { permission, roles: 'operator' }),
    );
  });
});

test('lists and single items are visible to those who may read them', async () => {
  const visible = async (name: string, permissions: AppContext['permissions'], isUser = true) =>
    visibleResources(await testContext('en', { permissions, isUser })).some((one) => one.name === name);
  expect(await visible('scope', ['alerthub:scopes:list'])).toBe(true);
  expect(await visible('scope', ['alerthub:scopes:get'])).toBe(false);
  expect(await visible('line', ['pigeon:line:get'])).toBe(true);
  expect(await visible('line', ['pigeon:line:list'])).toBe(false);
  // Without calls to list or show it there is nothing to open.
  expect(await visible('chain', 'everything')).toBe(false);
  expect(await visible('diagram', 'everything')).toBe(false);
  expect(await visible('profile', [])).toBe(true);
  expect(await visible('profile', 'everything', false)).toBe(false);
});

test.each([
  ['en', 0, 'scope'],
  ['en', 1, 'Scopes'],
  ['ja', 1, 'スコープ'],
] as const)('in %s the noun for %i is %s', (language, count, expected) => {
  expect(nounFor({ language }, 'scope', count)).toBe(expected);
});
