// What the signed-in person may do, as the faces need it to hide what would be refused.
import type { Permissions } from '@yagura/core/access/claims';
import { can, permissionsOf } from '@yagura/core/access/claims';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { type AnyResource, type Item, permissionFor, type Verb } from '@yagura/core/resource/define-resource';
import { profile } from '@yagura/core/space/profile';
import type { Api } from './api.server.ts';

export type Profile = Item<typeof profile>;
export type ResourcePermissions = Record<Verb, boolean>;

export interface CurrentUser {
  profile: Profile | null;
  grant: Permissions;
}

/** Kept this long, so that the loaders of one page ask once; in milliseconds. */
const memory = 5_000;
const maxKept = 500;
const kept = new Map<string, { at: number; user: Promise<CurrentUser> }>();

/** Profile and grant of the caller. What cannot be fetched counts as not privileged and without roles (spec section 6). */
export async function getCurrentUser(api: Api): Promise<CurrentUser> {
  const { authorization = '' } = (await api.transport.headers?.()) ?? {};
  const now = Date.now();
  for (const [key, entry] of kept) {
    if (now - entry.at <= memory && kept.size < maxKept) break;
    kept.delete(key);
  }
  const found = kept.get(authorization);
  if (found) return found.user;
  const user = readPerson(api);
  kept.set(authorization, { at: now, user });
  return user;
}

/** Forgets what is kept of the caller, after their profile was changed. */
export async function forgetPerson(api: Api): Promise<void> {
  const { authorization = '' } = (await api.transport.headers?.()) ?? {};
  kept.delete(authorization);
}

/** Which verbs of a resource the person may use, and the resource has. */
export function resourcePermissions(user: CurrentUser, resource: AnyResource): ResourcePermissions {
  const may = (verb: Verb) => resource.verbs.includes(verb) && can(user.grant, permissionFor(resource, verb));
  return {
    list: may('list'),
    show: may('show'),
    create: may('create'),
    edit: may('edit'),
    remove: may('remove'),
  };
}

async function readPerson(api: Api): Promise<CurrentUser> {
  const [own, map] = await Promise.allSettled([
    api.client(profile).show(),
    callFixed(api.transport, 'role-map'),
  ]);
  if (own.status === 'rejected') return { profile: null, grant: [] };
  const roles = map.status === 'fulfilled' ? map.value : {};
  return { profile: own.value, grant: permissionsOf(own.value, roles) };
}
