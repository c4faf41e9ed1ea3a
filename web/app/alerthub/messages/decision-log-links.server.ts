// Where the lines of a decision log lead, as far as the person may go there.
import type { ExplainLine } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { resourceNamed } from '@yagura/core/all';
import { itemHref } from '../../resource/references.server.ts';
import { fillScreenPath } from '../../resource/screen-path.ts';
import type { Api } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';

/** Addresses by the id of what a line is about. */
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
