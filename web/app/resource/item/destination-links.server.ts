// Finds the destinations of remote sessions that a page links to because it is about their hosts.
import { destination } from '@yagura/core/greac/destination';
import { session } from '@yagura/core/greac/session';
import { printFilter } from '@yagura/core/query/filter';
import type { Api } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { ifPermitted } from '../if-permitted.server.ts';

/** Destinations that are linked. */
const maxDestinations = 3;

export interface DestinationLink {
  name: string;
  /** The destination, where a session can be opened. */
  to: string;
}

/** Destinations with one of these hosts at which the user may open sessions; `about` goes to their pages. */
export async function destinationLinks(
  api: Api,
  hosts: readonly string[],
  about: Record<string, string>,
): Promise<DestinationLink[]> {
  if (hosts.length === 0) return [];
  const user = await getCurrentUser(api);
  if (!resourcePermissions(user, destination).list || !resourcePermissions(user, session).create) return [];
  const items = hosts.map((value) => ({ op: 'eq' as const, field: 'host', value }));
  const filter = printFilter({ op: 'or', items });
  const listed = api.client(destination).list({ filter, limit: maxDestinations, sort: 'displayName' });
  const page = await ifPermitted(listed, { items: [] });
  return page.items.map(({ destinationId, displayName }) => ({
    name: displayName,
    to: `${destination.screen}/${destinationId}?${new URLSearchParams(about)}`,
  }));
}
