// Compares the router with caches to the router as it is installed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { cacheRouteMatching, routerModulePattern } from './route-matching.mjs';

const file = createRequire(import.meta.url)
  .resolve('@remix-run/router')
  .replace(/router\.cjs\.js$/, 'router.js');
const code = readFileSync(file, 'utf8');
const load = (source) => import(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
const installed = await load(code);
const cached = await load(cacheRouteMatching(code));

const routes = [
  {
    id: 'root',
    path: '',
    children: [
      { id: 'home', index: true },
      { id: 'scopes', path: 'apps/alerthub/scopes' },
      { id: 'new', path: 'apps/alerthub/scopes/create' },
      { id: 'scope', path: 'apps/alerthub/scopes/:id', children: [{ id: 'rules', path: 'rules' }] },
      { id: 'page', path: ':lang?/pages' },
      { id: 'case', path: 'Exact', caseSensitive: true },
      { id: 'files', path: 'files/*' },
    ],
  },
];
const paths = [
  ...[
    '/',
    '/apps/alerthub/scopes',
    '/apps/alerthub/scopes/',
    '/APPS/alerthub/scopes',
    '/apps/alerthub/scopes/create',
  ],
  ...[
    '/apps/alerthub/scopes/a%2Fb',
    '/apps/alerthub/scopes/1/rules',
    '/apps/alerthub/scopes/1/none',
    '/pages',
  ],
  ...['/ja/pages', '/exact', '/Exact', '/files', '/files/a/b', '/none', '//', '/%'],
];

describe('the router with caches', () => {
  test.each(paths)('matches %s as without them, the first time and again', (path) => {
    const expected = installed.matchRoutes(routes, path);
    expect(cached.matchRoutes(routes, path)).toEqual(expected);
    expect(cached.matchRoutes(routes, path)).toEqual(expected);
  });

  test('keeps the patterns of other routes apart', () => {
    const others = [{ id: 'scopes', path: 'apps/alerthub/scopes', caseSensitive: true }];
    expect(cached.matchRoutes(others, '/APPS/alerthub/scopes')).toBeNull();
    expect(cached.matchRoutes(routes, '/APPS/alerthub/scopes')).not.toBeNull();
  });

  test('reads the routes once', () => {
    const read = [];
    const counted = (path) => ({
      id: path,
      get path() {
        read.push(path);
        return path;
      },
    });
    const list = [counted('a'), counted('b')];
    cached.matchRoutes(list, '/b');
    const first = read.length;
    cached.matchRoutes(list, '/b');
    expect(read.length).toBe(first);
  });
});

test('both forms of the module are recognized', () => {
  expect(file).toMatch(routerModulePattern);
  const common = readFileSync(file.replace(/router\.js$/, 'router.cjs.js'), 'utf8');
  expect(cacheRouteMatching(common)).toContain('rankedBranchesOf(routes)');
});

test('another router is refused', () => {
  expect(() => cacheRouteMatching('export function matchRoutes() {}')).toThrow('in another way');
});
