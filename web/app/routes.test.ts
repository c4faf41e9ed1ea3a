import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resources } from '@yagura/core/all';
import { contact } from '@yagura/core/pigeon/contact';
import { describe, expect, it } from 'vitest';
import { genericRoutes, pagePaths } from './resource/resource-routes.ts';
import { fillScreenPath } from './resource/screen-path.ts';
import routes, { pagesElsewhere } from './routes.ts';

interface Entry {
  id?: string;
  path?: string;
  file: string;
  children?: Entry[];
}

const entries = (list: readonly Entry[], base = ''): { id: string; path: string; file: string }[] =>
  list.flatMap((entry) => {
    const path = [base, entry.path].filter(Boolean).join('/');
    return [{ id: entry.id ?? '', path, file: entry.file }, ...entries(entry.children ?? [], path)];
  });

const known = entries(await routes);

describe('the site map', () => {
  it('gives every route its own id', () => {
    expect(new Set(known.map(({ id }) => id)).size).toBe(known.length);
  });

  it.each(known)('$path is served by a file that exists', ({ file }) => {
    expect(existsSync(fileURLToPath(new URL(file, import.meta.url)))).toBe(true);
  });

  it.each(
    resources.filter((resource) => resource.screen).map((resource) => [resource.name, resource] as const),
  )('%s has a page for each of its verbs', (_name, resource) => {
    const paths = new Set(known.map(({ path }) => path));
    const missing = pagePaths(resource).filter(([, path]) => !paths.has(path) && !pagesElsewhere.has(path));
    expect(missing).toEqual([]);
  });

  it('knows every page that a verb has elsewhere', () => {
    const pages = new Set(resources.flatMap(pagePaths).map(([, path]) => path));
    expect([...pagesElsewhere].filter((path) => !pages.has(path))).toEqual([]);
  });

  it('gives a resource the generic pages that no other route serves', () => {
    const holiday = { ...contact, name: 'holiday', screen: '/apps/pigeon/holidays', id: 'holidayId' };
    const custom = [
      {
        id: 'custom',
        path: 'apps',
        file: 'x',
        children: [{ id: 'c', path: 'pigeon/holidays/new', file: 'y' }],
      },
    ];
    const without = new Set(['apps/pigeon/holidays/:holidayId/edit']);
    expect(genericRoutes([holiday], custom, without).map(({ path, file }) => [path, file])).toEqual([
      ['apps/pigeon/holidays', 'resource/list/list.tsx'],
      ['apps/pigeon/holidays/:holidayId', 'resource/item/item.tsx'],
    ]);
  });
});

describe('fillScreen', () => {
  it('fills and encodes parameters, and knows when one is missing', () => {
    expect(fillScreenPath('/scopes/:scopeId/triggers', { scopeId: 'a/b' })).toBe('/scopes/a%2Fb/triggers');
    expect(fillScreenPath('/scopes/:scopeId/triggers', {})).toBeUndefined();
    expect(fillScreenPath(undefined, {})).toBeUndefined();
  });
});
