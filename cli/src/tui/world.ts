// What the full-screen view knows before it shows anything: the resources, who is there, and what they may do.
import { can, type Permissions, permissionsOf, rolesGranting } from '@yagura/core/access/claims';
import type { RoleMap } from '@yagura/core/access/role-map';
import { send } from '@yagura/core/http/transport';
import type { Language, Translate } from '@yagura/core/words/translate';
import { catalogue } from '../resource/catalogue.ts';
import type { ResourceMeta } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { nounOf } from '../resource/noun.ts';
import type { Session } from '../signin/session.ts';

export interface AppContext {
  t: Translate;
  language: Language;
  /** Display name of the space. */
  space: string;
  /** The person, or that a token is used. */
  user: string;
  /** A person signed in; a token is not let in to what only the console calls. */
  person: boolean;
  /** Nothing is changed. */
  readonly: boolean;
  grant: Permissions;
  roles: RoleMap;
}

/** Asks who is there. A token has no person; what it may do is then the server's to say. */
export async function loadAppContext(
  session: Session,
  facts: { t: Translate; language: Language; readonly: boolean },
  signal: AbortSignal,
): Promise<AppContext> {
  const { transport } = session;
  const show = (name: string) => entryClient(entryNamed(name), transport).show(undefined, {}, signal);
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
  if (byToken && space.status === 'rejected' && isSignIn(space.reason)) throw space.reason;
  const person = profile.value as { displayName: string; privileged: boolean; roles: string[] } | undefined;
  const map = roles.status === 'fulfilled' ? (roles.value?.data ?? {}) : {};
  return {
    ...facts,
    space: space.status === 'fulfilled' ? String(space.value.displayName) : new URL(session.origin).host,
    user: person?.displayName ?? facts.t('tui.token'),
    person: person !== undefined,
    grant: person ? permissionsOf(person, map) : 'everything',
    roles: map,
  };
}

function isSignIn(error: unknown): boolean {
  return (
    (error as { kind?: string }).kind === 'sign-in-required' ||
    (error as { kind?: string }).kind === 'unreachable'
  );
}

export function may(world: Pick<AppContext, 'grant'>, permission: string): boolean {
  return can(world.grant, permission);
}

export function mayList(world: Pick<AppContext, 'grant' | 'person'>, meta: ResourceMeta): boolean {
  return letIn(world, meta) && meta.verbs.includes('list') && may(world, `${meta.permission}:list`);
}

/** Whether the resource can be reached at all, whatever may be done with it. */
function letIn({ person }: Pick<AppContext, 'person'>, { path }: ResourceMeta): boolean {
  return person || !path.startsWith('/api/internal/');
}

/** Why something is refused, in one sentence; undefined when it is not. */
export function refusal(context: AppContext, resource: string, permission: string): string | undefined {
  if (context.readonly) return context.t('tui.readonly.refused');
  if (!letIn(context, entryNamed(resource))) return context.t('tui.person-only');
  if (may(context, permission)) return undefined;
  const roles = rolesGranting(permission, context.roles);
  return context.t(roles.length > 0 ? 'tui.forbidden.roles' : 'tui.forbidden', {
    permission,
    roles: roles.join(', '),
  });
}

/** `scope` or `scopes`, in the language of the terminal. */
export function nounFor(world: Pick<AppContext, 'language'>, resource: string, count: 0 | 1): string {
  const noun = nounOf(entryNamed(resource), world, count);
  return world.language === 'en' && count === 1 ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun;
}

/** Resources that have a list or a sheet of their own that may be looked at, in the order of the catalogue. */
export function visibleEntries(context: AppContext): ResourceMeta[] {
  return catalogue.filter((meta) =>
    meta.singleton
      ? letIn(context, meta) && meta.verbs.includes('show') && may(context, `${meta.permission}:get`)
      : mayList(context, meta),
  );
}
