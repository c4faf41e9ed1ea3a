import { roleMap } from '@yagura/core/access/role-map';
import { rule } from '@yagura/core/alerthub/rule';
import { Problem } from '@yagura/core/http/problem';
import { expect, test } from 'vitest';
import { stubApi } from '../signin/test/stub-api.ts';
import { ifPermitted } from './if-permitted.server.ts';

const apiOf = (roles: string[]) =>
  stubApi(`if-permitted ${roles}`, {
    '/api/internal/profile': { privileged: false, roles },
    '/api/internal/apps/policy/role-map': roleMap,
  });
const viewer = apiOf(['alerthub:viewer']);
/** An API that says nothing about the user, as if the session had ended. */
const unknown = stubApi('if-permitted unknown', {});

test('returns the result', async () => {
  expect(await ifPermitted(viewer, rule, 'list', async () => [1], [])).toEqual([1]);
});

test.each([
  ['list', apiOf(['pigeon:operator'])],
  ['create', viewer],
  ['test', viewer],
])('does not ask for what the roles do not grant: %s', async (call, api) => {
  let isAsked = false;
  const load = async () => {
    isAsked = true;
  };
  expect(await ifPermitted(api, rule, call, load, 'none')).toBe('none');
  expect(isAsked).toBe(false);
});

test.each([
  ['forbidden', viewer],
  ['not-found', viewer],
  ['forbidden', unknown],
] as const)('returns the alternative for %s', async (kind, api) => {
  const load = () => Promise.reject(new Problem(kind));
  expect(await ifPermitted(api, rule, 'list', load, 'none')).toBe('none');
});

test.each([
  [new Problem('unavailable'), viewer],
  [new TypeError('fetch failed'), viewer],
  [new Problem('sign-in-required'), unknown],
])('throws anything else: %s', async (error, api) => {
  await expect(ifPermitted(api, rule, 'list', () => Promise.reject(error), [])).rejects.toBe(error);
});
