import { describe, expect, it } from 'vitest';
import routes from '../../routes.ts';
import { redirectTarget } from './redirect-target.ts';

interface Entry {
  path?: string;
  file: string;
  index?: boolean;
  children?: Entry[];
}

const entries = (list: readonly Entry[], base = ''): { path: string; file: string }[] =>
  list.flatMap(({ path, file, children = [] }) => {
    const whole = [base, path].filter(Boolean).join('/');
    return [{ path: whole, file }, ...entries(children, whole)];
  });

const known = entries(await routes);
const redirectPaths = known
  .filter(({ file }) => file === 'shell/navigation/redirect.ts')
  .map(({ path }) => path);
const screens = known.filter(
  ({ file }) => file !== 'shell/navigation/redirect.ts' && !file.endsWith('layout.tsx'),
);

/** Returns whether a path has a page of its own; home has the empty pattern. */
const isScreen = (path: string) =>
  path === '/' ||
  screens.some(({ path: pattern }) => {
    if (pattern === '' || pattern === '*') return false;
    return new RegExp(`^/${pattern.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`).test(path);
  });

const root = ['', '/preference'];

describe('leadsTo', () => {
  it.each([
    ['/sign-in', '/'],
    ['/sign-in/reset-password', '/'],
    ['/sign-in/reset-password-requested/', '/'],
    ['/preference', '/preference/space'],
    ['/preference/', '/preference/space'],
    ['/apps/alerthub', '/apps/alerthub/receive-slots'],
    ['/apps/greac', '/apps/greac/destinations'],
    ['/apps/devtool', '/apps/devtool/tasks'],
    ['/apps/alerthub/events', '/404'],
    ['/apps/alerthub/action-records', '/404'],
    ['/toString', '/404'],
    ['/spaces', '/404'],
    ['//evil.example/space', '/404'],
  ])('%s to %s', (from, to) => {
    expect(redirectTarget(from)).toBe(to);
  });

  const old: [string, string][] = [
    ['/cancel', '/preference/cancel-space'],
    ['/space/information', '/preference/space'],
    ['/space/users', '/preference/users'],
    ['/space/users/u1', '/preference/users/u1'],
    ['/space/user-groups/g1', '/preference/user-groups/g1'],
    ['/space/usersabc', '/preference/space'],
    ['/space/ip-restriction', '/preference/ip-restriction'],
    ['/profile/mfa', '/preference/profile'],
    ['/kroker/setup', '/setup-kroker'],
  ];
  it.each(root.flatMap((base) => old.map(([from, to]) => [base + from, to])))('%s to %s', (from, to) => {
    expect(redirectTarget(from!)).toBe(to);
    expect(isScreen(to!)).toBe(true);
  });

  it.each(redirectPaths)('%s leads to a screen, or nowhere on purpose', (path) => {
    const to = redirectTarget(`/${path.replace(/\*$/, 'networks').replace(/:/g, '')}`);
    expect(isScreen(to)).toBe(true);
  });

  it.each(root.flatMap((base) => old.map(([from]) => base + from)))(
    '%s has a route that leads on',
    (path) => {
      const fits = (pattern: string) => new RegExp(`^/${pattern.replace(/\*$/, '.*')}$`).test(path);
      expect(redirectPaths.some(fits)).toBe(true);
    },
  );
});
