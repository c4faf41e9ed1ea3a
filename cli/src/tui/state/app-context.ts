// Context of the full-screen view: space, user, permissions and language.
import { can, type Permissions, permissionsOf, rolesGranting } from '@yagura/core/access/permissions';
import type { RoleMap } from '@yagura/core/access/role-map';
import { send } from '@yagura/core/http/transport';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { nounOf } from '../../resource/meta/noun.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import { resources } from '../../resource/meta/resources.ts';
import type { Session } from '../../signin/session.ts';

export interface AppContext {
  t: Translate;
  language: Language;
  /** Display name of the space. */
  spaceName: string;
  /** Name of the user, or a label for an API token. */
  userName: string;
  /** Signed in as a user; API tokens cannot use console-only calls. */
  isUser: boolean;
  /** Read-only mode. */
  readonly: boolean;
  permissions: Permissions;
  roles: RoleMap;
}

/**
 * Loads the user and permissions. For an API token, which has no user, permissions are left to the server.
 */
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
  // A rejected sign-in must be reported before the alternate screen is entered.
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

/** Whether the resource is accessible at all, regardless of permissions. */
function isAccessible({ isUser }: Pick<AppContext, 'isUser'>, { path }: ResourceMeta): boolean {
  return isUser || !path.startsWith('/api/internal/');
}

/** Why an action is denied, as one sentence; undefined when it is allowed. */
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

/** Resources with a list or detail view that the user may open, in catalog order. */
export function visibleResources(context: AppContext): ResourceMeta[] {
  return resources.filter((meta) =>
    meta.singleton
      ? isAccessible(context, meta) &&
        meta.verbs.includes('show') &&
        hasPermission(context, `${meta.permission}:get`)
      : canList(context, meta),
  );
}
