// Builds the links of decision log lines that the user may follow.
import type { ExplainLine } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { resourceNamed } from '@yagura/core/all';
import { itemHref } from '../../resource/references.server.ts';
import { fillScreenPath } from '../../resource/screen-path.ts';
import type { Api } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';

/** Maps the id of each line's subject to its URL; omits subjects that the user may not view. */
export async function resolveLineLinks(
  api: Api,
  lines: readonly ExplainLine[],
): Promise<Record<string, string>> {
  const user = await getCurrentUser(api);
  const hrefs: Record<string, string> = {};
  for (const { link } of lines) {
    if (!link) continue;
    const resource = resourceNamed(link.resource);
    const at = fillScreenPath(resource.screen, { scopeId: link.scopeId });
    if (!at || !resourcePermissions(user, resource).show) continue;
    hrefs[link.id] = itemHref(resource, at, { [resource.id]: link.id, scopeId: link.scopeId });
  }
  return hrefs;
}
