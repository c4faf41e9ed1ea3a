// Calls whose result a page can do without, if the user may not see it.
import { can } from '@yagura/core/access/permissions';
import { Problem } from '@yagura/core/http/problem';
import { type AnyResource, permissionFor, type Verb } from '@yagura/core/resource/define-resource';
import type { Api } from '../signin/api.server.ts';
import { type CurrentUser, getCurrentUser } from '../signin/current-user.server.ts';

/**
 * Whether a page may make a call, a verb or the name of one of the resource's own: what the user may not read is not
 * asked for, since each refusal is in the audit log, and would be there for each visit of the page. While the roles
 * are unknown, also because the session has ended, everything may be asked for.
 */
export function mayAsk(user: CurrentUser, resource: AnyResource, call: Verb | string): boolean {
  return user.incomplete === true || can(user.permissions, permissionFor(resource, call));
}

/**
 * Result of a call of the resource, or `otherwise` if the user may not make it or its subject is gone. Other errors are
 * thrown: a page must not show a list as empty because the server failed.
 */
export async function ifPermitted<T, U>(
  api: Api,
  resource: AnyResource,
  call: Verb | string,
  load: () => Promise<T>,
  otherwise: U,
): Promise<T | U> {
  if (!mayAsk(await getCurrentUser(api), resource, call)) return otherwise;
  try {
    return await load();
  } catch (error) {
    if (error instanceof Problem && (error.kind === 'forbidden' || error.kind === 'not-found'))
      return otherwise;
    throw error;
  }
}
