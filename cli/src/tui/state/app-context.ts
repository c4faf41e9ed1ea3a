// What the full-screen view knows before it shows anything: the resources, who is there, and what they may do.
import { can, type Permissions, permissionsOf, rolesGranting } from '@yagura/core/access/permissions';
import type { RoleMap } from '@yagura/core/access/role-map';
import { send } from '@yagura/core/http/transport';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { nounOf } from '../../resource/meta/noun.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { ResourceMeta } from '../../resource/meta/resource-meta.ts';
import { resources } from '../../resource/meta/resources.ts';
import type { Session } from '../../signin/session.ts';

export interface AppContext {
  t: Translate;
  language: Language;
  /** Display name of the space. */
  spaceName: string;
  /** The person, or that a token is used. */
  userName: string;
  /** A person signed in; a token is not let in to what only the console calls. */
  isUser: boolean;
  /** Nothing is changed. */
  readonly: boolean;
  permissions: Permissions;
  roles: RoleMap;
}

/** Asks who is there. A token has no person; what it may do is then the server's to say. */
export async function loadAppContext(
  session: Session,
  settings: { t: Translate; language: Language; readonly: boolean },
  signal: AbortSignal,
): Promise<AppContext> {
  const { transport } = session;
  const show = (name: string) => resourceClient(resourceNamed(name), transport).show(undefined, {}, signal);
  const byToken = session.credential?.kind === 'token';
  const [space, profile, roles] = await Promise.allSettled([
    show('space'),
    byToken ? undefined : show('profile'),
    byToken
      ? undefined
      : send<RoleMap>(transport, { method: 'GET', path: '/api/internal/apps/policy/role-map', signal }),
  ]);
  // A sign-in that is refused must be told before the screen is taken.
  if (profile.status === 'rejected') throw profile.reason;
  if (byToken && space.status === 'rejected' && isSignInProblem(space.reason)) throw space.reason;
  const person = profile.value as { displayName: string; privileged: boolean; roles: string[] } | undefined;
  const map = roles.status === 'fulfilled' ? (roles.value?.data ?? {}) : {};
  return {
    ...settings,
    spaceName: space.status === 'fulfilled' ? String(space.value.displayName) : new URL(session.origin).host,
    userName: person?.displayName ?? settings.t('tui.token'),
    isUser: person !== undefined,
    permissions: person ? permissionsOf(person, map) : 'everything',
    roles: map,
  };
}

function isSignInProblem(error: unknown): boolean {
  return (
    (error as { kind?: string }).kind === 'sign-in-required' ||
    (error as { kind?: string }).kind === 'unreachable'
  );
}

export function hasPermission(context: Pick<AppContext, 'permissions'>, permission: string): boolean {
  return can(context.permissions, permission);
}

export function canList(context: Pick<AppContext, 'permissions' | 'isUser'>, meta: ResourceMeta): boolean {
  return (
    isAccessible(context, meta) &&
    meta.verbs.includes('list') &&
    hasPermission(context, `${meta.permission}:list`)
  );
}

/** Whether the resource can be reached at all, whatever may be done with it. */
function isAccessible({ isUser }: Pick<AppContext, 'isUser'>, { path }: ResourceMeta): boolean {
  return isUser || !path.startsWith('/api/internal/');
}

/** Why something is refused, in one sentence; undefined when it is not. */
export function refusal(context: AppContext, resource: string, permission: string): string | undefined {
  if (context.readonly) return context.t('tui.readonly.refused');
  if (!isAccessible(context, resourceNamed(resource))) return context.t('tui.person-only');
  if (hasPermission(context, permission)) return undefined;
  const roles = rolesGranting(permission, context.roles);
  return context.t(roles.length > 0 ? 'tui.forbidden.roles' : 'tui.forbidden', {
    permission,
    roles: roles.join(', '),
  });
}

/** `scope` or `scopes`, in the language of the terminal. */
export function nounFor(context: Pick<AppContext, 'language'>, resource: string, count: 0 | 1): string {
  const noun = nounOf(resourceNamed(resource), context, count);
  return context.language === 'en' && count === 1 ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun;
}

/** Resources that have a list or a sheet of their own that may be looked at, in the order of the catalogue. */
export function visibleResources(context: AppContext): ResourceMeta[] {
  return resources.filter((meta) =>
    meta.singleton
      ? isAccessible(context, meta) &&
        meta.verbs.includes('show') &&
        hasPermission(context, `${meta.permission}:get`)
      : canList(context, meta),
  );
}
