// Finds the destinations of remote sessions that a page links to because it is about their hosts.
import { destination } from '@yagura/core/greac/destination';
import { findHosts } from '@yagura/core/greac/find-hosts';
import { session } from '@yagura/core/greac/session';
import { printFilter } from '@yagura/core/query/filter';
import type { Api } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { ifPermitted } from '../if-permitted.server.ts';

/** Destinations that are linked. */
const maxDestinations = 3;
/** Some of those that are found have other hosts, such as `web.web` for `web`. */
const maxFound = 50;

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
  // Upper and lower case are the same in `sw` and `ew`, but not in `eq`.
  const items = hosts.map((value) => ({
    op: 'and' as const,
    items: [
      { op: 'sw' as const, field: 'host', value },
      { op: 'ew' as const, field: 'host', value },
    ],
  }));
  const filter = printFilter({ op: 'or', items });
  const load = () => api.client(destination).list({ filter, limit: maxFound, sort: 'displayName' });
  const page = await ifPermitted(api, destination, 'list', load, { items: [] });
  const wanted = new Set(hosts.map((host) => host.toLowerCase()));
  const found = page.items.filter(({ host }) => wanted.has(host.toLowerCase())).slice(0, maxDestinations);
  return found.map(({ destinationId, displayName }) => ({
    name: displayName,
    to: `${destination.screen}/${destinationId}?${new URLSearchParams(about)}`,
  }));
}

/** Destinations of the hosts that a message names; its sessions keep the message. */
export function messageDestinationLinks(
  api: Api,
  { messageId, content }: { messageId: string; content?: unknown },
): Promise<DestinationLink[]> {
  return destinationLinks(api, findHosts(content), { messageId });
}
