// Every URL of the site map with ids of things that are there, found through the API as a client finds them.
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
  /** Path with its parameters as the site map writes it. */
  pattern: string;
  file: string;
  /** Files of the layouts and screens around it, outermost first. */
  layouts: readonly string[];
}

/** Endpoints draw no page and hold no markup. */
const noPage = /\.ts$/;

/** The pages of the site map, flat. */
export function listSiteUrls(
  entries: readonly Entry[] = routes as Entry[],
  above = '',
  layouts: readonly string[] = [],
): SiteUrl[] {
  return entries.flatMap(({ path, index, file, children = [] }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const own = path === undefined && !index && above === '';
    const inner = listSiteUrls(children, own ? '' : pattern, [...layouts, file]);
    // A screen with an index child is drawn with that child.
    const drawn = !own && !children.some((child) => child.index) && !noPage.test(`/${file}`);
    return drawn ? [{ pattern: pattern || '/', file, layouts }, ...inner] : inner;
  });
}

type Row = Record<string, unknown>;

/** What the parameters of patterns stand for that are no resource's id. */
const fixedParams: Record<string, string> = { kind: 'scopes' };
const bulkFilePaths: Record<string, string> = {
  importId: '/api/apps/alerthub/bulk-operations/scopes/imports',
  exportId: '/api/apps/alerthub/bulk-operations/scopes/exports',
};

/**
 * Fills the parameters of patterns with the first thing of each kind that the API lists; the parents' first.
 * What only the console may list is looked up there: `inConsole` gives the ids that its list of that path shows.
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

  /** Values of all parameters of a pattern; throws with what is missing from the space. */
  return async function placeOf(pattern: string): Promise<Record<string, string>> {
    const wanted = [...pattern.matchAll(/:(\w+)/g)]
      .map((match) => match[1]!)
      .filter((name) => !(name in fixedParams));
    return (await search(wanted, fixedParams, pattern)) ?? throwMissing(pattern, wanted);
  };

  /** Goes through the things of the first wanted kind until the rest can be filled as well. */
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
    // What holds it may stand in no URL: an event is shown without its scope.
    const holder = parametersOf(resource).find((parameter) => !(parameter in pathParams));
    if (holder) return search([holder, ...wanted], pathParams, pattern);
    for (const id of await idsOf(resource, pathParams)) {
      const found = await search(rest, { ...pathParams, [name]: id }, pattern);
      if (found) return found;
    }
    return null;
  }
}

/** The resource whose id that is: of several with the same id's name, the one whose screen the pattern starts with. */
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

/** Fills a pattern of the site map. */
export function fillPattern(pattern: string, pathParams: Record<string, string>): string {
  return pattern
    .replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(pathParams[name]!))
    .replace(/\*$/, 'nowhere');
}
