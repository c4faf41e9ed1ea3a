// Who is a member of what: the row-level rules of remote sessions (spec section 6), as SQL.

import type { Sql } from '../resource/list/sql.ts';
import type { RequestContext } from '../resource/request-context.ts';

/** Destinations that list the caller or a group of theirs; all of them for whoever may change them. */
export function narrowDestinations(context: RequestContext, sql: Sql): string | undefined {
  if (context.may('greac:destinations:update')) return undefined;
  const user = sql.value(context.principal.userId, 'uuid');
  return `(r.body->'members'->'userIds' ? (${user})::text or exists (select 1 from user_group_member g
    where g.space_id = r.space_id and g.user_id = ${user}
      and r.body->'members'->'userGroupIds' ? g.user_group_id::text))`;
}

/** Sessions whose destination listed the caller, or a group that they were in, when they were opened; all of them for whoever may force them closed. */
export function narrowSessions(context: RequestContext, sql: Sql): string | undefined {
  if (context.may('greac:sessions:close-force')) return undefined;
  const user = sql.value(context.principal.userId, 'uuid');
  return `exists (select 1 from greac_session_member m where m.session_id = s.session_id and m.user_id = ${user})`;
}
