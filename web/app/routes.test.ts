import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resources } from '@yagura/core/all';
import { describe, expect, it } from 'vitest';
import { fillScreenPath } from './resource/screen-path.ts';
import routes from './routes.ts';

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

  const withScreen = resources.flatMap(({ name, screen, verbs, singleton, id }) =>
    screen ? [{ name, screen: screen.slice(1), verbs, singleton, id }] : [],
  );
  it.each(withScreen)('$name has a route for each of its verbs', ({ screen, verbs, singleton, id }) => {
    const paths = new Set(known.map(({ path }) => path));
    const item = singleton ? screen : `${screen}/:${id}`;
    if (verbs.includes('list')) expect(paths).toContain(screen);
    if (verbs.includes('show')) expect(paths).toContain(item);
    const forms = [`${item}/edit`, `${item}/settings`, ...(singleton ? [item] : [])];
    if (verbs.includes('edit')) expect(forms.some((path) => paths.has(path))).toBe(true);
    const made = [`${screen}/new`];
    if (verbs.includes('create') && screen !== 'apps/alerthub/events') expect(paths).toContain(made[0]);
  });
});

describe('fillScreen', () => {
  it('fills and encodes parameters, and knows when one is missing', () => {
    expect(fillScreenPath('/scopes/:scopeId/triggers', { scopeId: 'a/b' })).toBe('/scopes/a%2Fb/triggers');
    expect(fillScreenPath('/scopes/:scopeId/triggers', {})).toBeUndefined();
    expect(fillScreenPath(undefined, {})).toBeUndefined();
  });
});
