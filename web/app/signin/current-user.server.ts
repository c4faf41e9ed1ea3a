// Permissions of the signed-in user, used to hide what the API would reject.
import type { Permissions } from '@yagura/core/access/permissions';
import { can, permissionsOf } from '@yagura/core/access/permissions';
import { type AnyResource, type Item, permissionFor, type Verb } from '@yagura/core/resource/define-resource';
import { profile } from '@yagura/core/space/profile';
import { callStandalone } from '@yagura/core/standalone-calls';
import type { Api } from './api.server.ts';

export type Profile = Item<typeof profile>;
export type ResourcePermissions = Record<Verb, boolean>;

export interface CurrentUser {
  profile: Profile | null;
  permissions: Permissions;
  /** The profile or the roles could not be fetched. */
  incomplete?: boolean;
}

/** Cache lifetime in milliseconds, so that the loaders of one page share a request. */
const cacheTtlMs = 5_000;
const maxCached = 500;
const cache = new Map<string, { at: number; user: Promise<CurrentUser> }>();

/**
 * Returns the caller's profile and grant. What cannot be fetched counts as unprivileged and without roles.
 */
export async function getCurrentUser(api: Api): Promise<CurrentUser> {
  const { authorization = '' } = (await api.transport.headers?.()) ?? {};
  const now = Date.now();
  for (const [key, entry] of cache) {
    if (now - entry.at <= cacheTtlMs && cache.size < maxCached) break;
    cache.delete(key);
  }
  const found = cache.get(authorization);
  if (found) return found.user;
  const user = fetchCurrentUser(api);
  cache.set(authorization, { at: now, user });
  return user;
}

/** Drops the caller's cache entry after a change of the profile. */
export async function clearCachedUser(api: Api): Promise<void> {
  const { authorization = '' } = (await api.transport.headers?.()) ?? {};
  cache.delete(authorization);
}

/** Returns which of a resource's verbs the user may use. */
export function resourcePermissions(user: CurrentUser, resource: AnyResource): ResourcePermissions {
  const isAllowed = (verb: Verb) =>
    resource.verbs.includes(verb) && can(user.permissions, permissionFor(resource, verb));
  return {
    list: isAllowed('list'),
    show: isAllowed('show'),
    create: isAllowed('create'),
    edit: isAllowed('edit'),
    remove: isAllowed('remove'),
  };
}

async function fetchCurrentUser(api: Api): Promise<CurrentUser> {
  const [profileResult, roleMapResult] = await Promise.allSettled([
    api.client(profile).show(),
    callStandalone(api.transport, 'role-map'),
  ]);
  if (profileResult.status === 'rejected') return { profile: null, permissions: [], incomplete: true };
  const incomplete = roleMapResult.status === 'rejected';
  const roles = incomplete ? {} : roleMapResult.value;
  return { profile: profileResult.value, permissions: permissionsOf(profileResult.value, roles), incomplete };
}
