// Members of a user group: after a change the whole list is fetched anew (spec sections 7 and 9).
import type { Page } from '../http/page.ts';
import { send, type Transport } from '../http/transport.ts';

/** All members, in one call of 1000. */
export async function fetchGroupUsers<T>(transport: Transport, userGroupId: string): Promise<Page<T>> {
  const path = `/api/space/user-groups/${encodeURIComponent(userGroupId)}/users`;
  return (await send<Page<T>>(transport, { method: 'GET', path, query: { limit: 1000, offset: 0 } })).data;
}
