// Who is a member of what: the row-level rules of remote sessions (spec section 6), as SQL.
import type { Context } from '../resource/context.ts';
import type { Sql } from '../resource/sql.ts';

/** Destinations that list the caller; all of them for whoever may change them. */
export function narrowDestinations(context: Context, sql: Sql): string | undefined {
  if (context.may('greac:destinations:update')) return undefined;
  return memberOf('r.body', sql.value(context.principal.userId, 'uuid'));
}

/** Sessions whose destination listed the caller when they were opened; all of them for whoever may force them closed. */
export function narrowSessions(context: Context, sql: Sql): string | undefined {
  if (context.may('greac:sessions:close-force')) return undefined;
  const user = sql.value(context.principal.userId, 'uuid');
  return `exists (select 1 from greac_session_member m where m.session_id = s.session_id and m.user_id = ${user})`;
}

/** Condition that the destination with this body lists the user, whose id is a placeholder. */
function memberOf(body: string, user: string): string {
  return `${body}->'members'->'userIds' ? (${user})::text`;
}
