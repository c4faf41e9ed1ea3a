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

/**
 * Sessions whose destination listed the caller, or a group of theirs, when the session was opened; all
 * sessions for callers who may force-close them.
 */
export function narrowSessions(context: RequestContext, sql: Sql): string | undefined {
  if (context.may('greac:sessions:close-force')) return undefined;
  const user = sql.value(context.principal.userId, 'uuid');
  return `exists (select 1 from greac_session_member m where m.session_id = s.session_id and m.user_id = ${user})`;
}
