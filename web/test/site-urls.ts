// Lists every URL of the route map with existing ids, found through the API.
import { resources } from '@yagura/core/all';
import { send, type Transport } from '@yagura/core/http/transport';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import routes from '../app/routes.ts';

interface Entry {
  path?: string;
  index?: boolean;
  file: string;
  children?: Entry[];
}

export interface SiteUrl {
  /** Route pattern with its parameters. */
  pattern: string;
  file: string;
  /** Modules of the enclosing layouts and pages, outermost first. */
  layouts: readonly string[];
}

/** Resource routes render no page. */
const noPage = /\.ts$/;

/** Returns the pages of the route map as a flat list. */
export function listSiteUrls(
  entries: readonly Entry[] = routes as Entry[],
  above = '',
  layouts: readonly string[] = [],
): SiteUrl[] {
  return entries.flatMap(({ path, index, file, children = [] }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const own = path === undefined && !index && above === '';
    const inner = listSiteUrls(children, own ? '' : pattern, [...layouts, file]);
    // A page with an index child is listed as that child.
    const drawn = !own && !children.some((child) => child.index) && !noPage.test(`/${file}`);
    return drawn ? [{ pattern: pattern || '/', file, layouts }, ...inner] : inner;
  });
}

type Row = Record<string, unknown>;

/** Values of pattern parameters that are not resource ids. */
const fixedParams: Record<string, string> = { kind: 'scopes', recipe: 'alertmanager' };
const bulkFilePaths: Record<string, string> = {
  importId: '/api/apps/alerthub/bulk-operations/scopes/imports',
  exportId: '/api/apps/alerthub/bulk-operations/scopes/exports',
};

/**
 * Fills pattern parameters with the first item of each kind that the API lists, parents first. For resources
 * that only the console may list, `inConsole` returns the ids on the list page at that path.
 */
export function createParamFinder(transport: Transport, inConsole: (screen: string) => Promise<string[]>) {
  const rows = new Map<string, Promise<Row[]>>();
  const list = (path: string) => {
    if (!rows.has(path)) {
      const found = send<{ items: Row[] }>(transport, { method: 'GET', path, query: { limit: 20 } });
      rows.set(
        path,
        found.then(({ data }) => data.items),
      );
    }
    return rows.get(path)!;
  };

  const idsOf = async (resource: AnyResource, pathParams: Record<string, string>) =>
    isInternal(resource)
      ? inConsole(resource.screen!)
      : (await list(fillPath(resource.path, pathParams))).map((row) => String(row[resource.id]));

  /**
   * Returns the values of all parameters of a pattern; throws with the names of those that the space has no
   * item for.
   */
  return async function placeOf(pattern: string): Promise<Record<string, string>> {
    const wanted = [...pattern.matchAll(/:(\w+)/g)]
      .map((match) => match[1]!)
      .filter((name) => !(name in fixedParams));
    return (await search(wanted, fixedParams, pattern)) ?? throwMissing(pattern, wanted);
  };

  /** Tries the items of the first parameter's resource until the remaining parameters can be filled. */
  async function search(
    wanted: readonly string[],
    pathParams: Record<string, string>,
    pattern: string,
  ): Promise<Record<string, string> | null> {
    const [name, ...rest] = wanted;
    if (!name) return pathParams;
    if (bulkFilePaths[name]) {
      const [file] = await list(bulkFilePaths[name]);
      return file ? search(rest, { ...pathParams, [name]: String(file[name]) }, pattern) : null;
    }
    const resource = resourceOf(name, pattern);
    if (!resource) throw new Error(`no resource of ${pattern} has the id ${name}`);
    // The parent may be missing from the URL: an event's URL has no scope.
    const holder = parametersOf(resource).find((parameter) => !(parameter in pathParams));
    if (holder) return search([holder, ...wanted], pathParams, pattern);
    for (const id of await idsOf(resource, pathParams)) {
      const found = await search(rest, { ...pathParams, [name]: id }, pattern);
      if (found) return found;
    }
    return null;
  }
}

/**
 * Returns the resource with that id field; if there are several, the one whose page path is a prefix of the
 * pattern.
 */
function resourceOf(id: string, pattern: string): AnyResource | undefined {
  const known = resources.filter((one) => one.id === id && one.verbs.includes('list'));
  const own = known.filter((one) => one.screen && pattern.startsWith(one.screen));
  return (
    own.sort((a, b) => b.screen!.length - a.screen!.length)[0] ??
    known.sort((a, b) => Number(isInternal(a)) - Number(isInternal(b)))[0]
  );
}

const isInternal = (resource: AnyResource) => resource.path.startsWith('/api/internal/');
const parametersOf = (resource: AnyResource) =>
  [...resource.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

function throwMissing(pattern: string, wanted: readonly string[]): never {
  throw new Error(`${pattern}: the space holds no chain of ${wanted.join(', ')}`);
}

/** Fills a route pattern. */
export function fillPattern(pattern: string, pathParams: Record<string, string>): string {
  return pattern
    .replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(pathParams[name]!))
    .replace(/\*$/, 'nowhere');
}
