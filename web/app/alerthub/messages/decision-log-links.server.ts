// Builds the links of decision log lines to what still exists and the user may view.
import type { ExplainLine } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { resourceNamed } from '@yagura/core/all';
import { fetchNames } from '../../resource/references.server.ts';
import type { Api } from '../../signin/api.server.ts';

/** Maps the id of each line's subject to its URL; omits subjects that are deleted or that the user may not view. */
export async function resolveLineLinks(
  api: Api,
  lines: readonly ExplainLine[],
): Promise<Record<string, string>> {
  const links = lines.flatMap(({ link }) => link ?? []);
  const ids = new Map<string, Set<string>>();
  for (const { resource, id } of links) ids.set(resource, (ids.get(resource) ?? new Set()).add(id));
  const rows = links.map(({ resource, id, scopeId }) => ({ [resourceNamed(resource).id]: id, scopeId }));
  const references = await fetchNames(api, ids, rows);
  return Object.fromEntries(
    links.flatMap(({ resource, id }): [string, string][] => {
      const href = references[resource]?.[id]?.href;
      return href ? [[id, href]] : [];
    }),
  );
}
