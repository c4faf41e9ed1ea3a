// Row-level access rules of remote sessions, as SQL conditions on membership.

import type { Sql } from '../resource/list/sql.ts';
import type { RequestContext } from '../resource/request-context.ts';

/**
 * Destinations that list the caller or one of their groups; all destinations for callers who may update them.
 */
export function narrowDestinations(context: RequestContext, sql: Sql): string | undefined {
  if (context.may('greac:destinations:update')) return undefined;
  const user = sql.value(context.principal.userId, 'uuid');
  return `(r.body->'members'->'userIds' ? (${user})::text or exists (select 1 from user_group_member g
    where g.space_id = r.space_id and g.user_id = ${user}
      and r.body->'members'->'userGroupIds' ? g.user_group_id::text))`;
}

/** Begin of a condition that ends with the id of a user: their membership of the session `s`. */
export const sessionMembership =
  'select 1 from greac_session_member m where m.session_id = s.session_id and m.user_id =';

/** The user whose sessions alone the caller sees: themselves, or null for callers who may force-close sessions. */
export function findSessionMember(context: RequestContext): string | null {
  return context.may('greac:sessions:close-force') ? null : context.principal.userId;
}

/**
 * Sessions whose destination listed the caller, or a group of theirs, when the session was opened; all
 * sessions for callers who may force-close them.
 */
export function narrowSessions(context: RequestContext, sql: Sql): string | undefined {
  const member = findSessionMember(context);
  return member === null ? undefined : `exists (${sessionMembership} ${sql.value(member, 'uuid')})`;
}
