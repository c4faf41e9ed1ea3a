// Routes of the generic screens, derived from the descriptors: a page for each verb of a resource with a screen.
import type { UNSAFE_RouteConfigEntry } from '@remix-run/dev';
import type { AnyResource, Verb } from '@yagura/core/resource/define-resource';

type Entry = UNSAFE_RouteConfigEntry;

const genericScreens: Partial<Record<Verb, string>> = {
  list: 'resource/list/list.tsx',
  create: 'resource/form/create.tsx',
  show: 'resource/item/item.tsx',
  edit: 'resource/form/edit.tsx',
};

/** Path patterns of a resource's pages by verb, without the leading slash; empty if it has no screen. */
export function pagePaths({ screen, singleton, id, verbs }: AnyResource): [Verb, path: string][] {
  if (!screen) return [];
  const list = screen.slice(1);
  const item = singleton ? list : `${list}/:${id}`;
  const paths: Partial<Record<Verb, string>> = {
    list,
    create: `${list}/new`,
    show: item,
    edit: `${item}/edit`,
  };
  return verbs.flatMap((verb): [Verb, string][] => (paths[verb] ? [[verb, paths[verb]]] : []));
}

/** The generic pages at paths that no other route serves; `without` are pages that a verb has elsewhere. */
export function genericRoutes(
  resources: readonly AnyResource[],
  others: readonly Entry[],
  without: ReadonlySet<string>,
): Entry[] {
  const taken = new Set([...others.flatMap((entry) => pathsOf(entry)), ...without]);
  return resources.flatMap((resource) =>
    pagePaths(resource).flatMap(([verb, path]): Entry[] => {
      const file = genericScreens[verb];
      if (!file || taken.has(path)) return [];
      taken.add(path);
      return [{ id: path, path, file }];
    }),
  );
}

function pathsOf({ path, children = [] }: Entry, above = ''): string[] {
  const own = [above, path].filter(Boolean).join('/');
  return [own, ...children.flatMap((child) => pathsOf(child, own))];
}
