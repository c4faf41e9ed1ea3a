// Stores remote sessions and their participants. Every change is one statement or one transaction.
import { type closeReasons, session } from '@yagura/core/greac/session';
import { logKinds } from '@yagura/core/greac/session-parameters';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import { findItem, type StoredItem } from '../resource/item-store.ts';
import { rowTable } from '../resource/list/table.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { findSessionMember, narrowSessions, sessionMembership } from './narrow-by-membership.ts';

export type CloseReason = (typeof closeReasons)[number];

const own = ['participants', 'closesAt', 'logs'] as const;

export const sessionTable = rowTable(session, {
  from: 'greac_session s',
  alias: 's',
  without: own,
  columns: {
    closesAt: {
      sql: `(case when s.status = 'opened' then s.empty_since + interval '5 minutes' end)`,
      type: 'time',
    },
  },
  select: `s.version, case when s.status = 'opened' then s.empty_since + interval '5 minutes' end as closes_at,
    array(select k.kind from unnest(array[${logKinds.map((kind) => `'${kind}'`).join(', ')}]) as k(kind)
      where s.logs_deleted_at is null
        and exists (select 1 from greac_log_chunk l where l.session_id = s.session_id and l.kind = k.kind)) as log_kinds,
    (select coalesce(jsonb_agg(jsonb_build_object('userId', p.user_id, 'displayName', coalesce(u.display_name, ''),
        'joinedAt', to_char(p.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        order by p.joined_at, p.user_id), '[]'::jsonb)
      from greac_participant p left join person u on u.space_id = p.space_id and u.user_id = p.user_id
      where p.session_id = s.session_id) as participants`,
  item: (row) => {
    const kinds = row.log_kinds as string[];
    return {
      participants: row.participants,
      closesAt: row.closes_at ?? null,
      logs: { text: kinds.includes('text'), video: kinds.includes('video') },
    };
  },
});

export function findSession(db: Queryable, context: RequestContext, id: string): Promise<StoredItem | null> {
  return findItem(db, context, session, sessionTable, id, (sql) => narrowSessions(context, sql));
}

interface SessionState {
  sessionId: string;
  destinationId: string;
  status: string;
  version: string;
  /** The gateway that was told to open the session; null before. */
  krokerId: string | null;
}

const stateQuery = `select s.session_id as "sessionId", s.destination_id as "destinationId", s.status,
    s.version::text as version, s.kroker_id as "krokerId"
  from greac_session s where s.space_id = $1 and s.session_id = $2
    and ($3::uuid is null or exists (${sessionMembership} $3))`;

/** The state of a session visible to the caller, without its participants and logs. */
export async function findSessionState(
  db: Queryable,
  context: RequestContext,
  id: string,
): Promise<SessionState | null> {
  if (!isUuid(id)) return null;
  const values = [context.spaceId, id, findSessionMember(context)];
  const { rows } = await db.query<SessionState>(stateQuery, values);
  return rows[0] ?? null;
}

/** Like `findSessionState`, and locks the session until the transaction ends. */
export async function lockSessionState(
  tx: Transaction,
  context: RequestContext,
  id: string,
): Promise<SessionState | null> {
  if (!isUuid(id)) return null;
  const values = [context.spaceId, id, findSessionMember(context)];
  const { rows } = await tx.query<SessionState>(`${stateQuery} for update of s`, values);
  return rows[0] ?? null;
}

/** Locks the session of the path until the transaction ends. Throws 404 if it is not visible to the caller. */
export async function lockSession(tx: Transaction, context: RequestContext): Promise<SessionState> {
  const found = await lockSessionState(tx, context, context.params.sessionId ?? '');
  if (!found) throw itemNotFound(context, session);
  return found;
}

export function assertNotClosed({ t }: Pick<RequestContext, 't'>, status: string): void {
  if (status === 'closed')
    throw new Problem('conflict', {
      title: t('refusal.title.session-closed'),
      detail: t('refusal.session-closed'),
    });
}

/** Members of a destination. */
export interface Members {
  userIds: string[];
  userGroupIds: string[];
}

/**
 * Opens a session without participants. The destination's current members, including those of groups, keep
 * access to its history.
 */
export async function insertSession(
  tx: Transaction,
  context: RequestContext,
  at: {
    destinationId: string;
    displayName: string;
    protocol: string;
    remarks: string;
    messageId: string | null;
    members: Members;
  },
): Promise<string> {
  const { clock, nextId } = context.services;
  const now = isoTime(clock.now());
  const sessionId = nextId();
  await tx.query(
    `insert into greac_session (session_id, space_id, destination_id, destination_name, protocol, remarks,
       message_id, status, opened_at, empty_since, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'opened', $8, $8, $8, $8)`,
    [
      sessionId,
      context.spaceId,
      at.destinationId,
      at.displayName,
      at.protocol,
      at.remarks,
      at.messageId,
      now,
    ],
  );
  await tx.query(
    `insert into greac_session_member (session_id, space_id, user_id)
     select $1::uuid, $2::uuid, member from unnest($3::uuid[]) as member
     union
     select $1::uuid, $2::uuid, user_id from user_group_member where space_id = $2 and user_group_id = any($4::uuid[])`,
    [sessionId, context.spaceId, [...at.members.userIds, context.principal.userId], at.members.userGroupIds],
  );
  return sessionId;
}

/** Adds the caller to the session, or refreshes their presence. Returns whether they are new to it. */
export async function joinSession(
  tx: Transaction,
  context: RequestContext,
  sessionId: string,
): Promise<boolean> {
  const now = isoTime(context.services.clock.now());
  const { rows } = await tx.query<{ fresh: boolean }>(
    `insert into greac_participant (session_id, space_id, user_id, joined_at, seen_at) values ($1, $2, $3, $4, $4)
     on conflict (session_id, user_id) do update set seen_at = excluded.seen_at returning (xmax = 0) as fresh`,
    [sessionId, context.spaceId, context.principal.userId, now],
  );
  const { fresh } = rows[0]!;
  if (fresh)
    await tx.query(
      'update greac_session set empty_since = null, updated_at = $2, version = version + 1 where session_id = $1',
      [sessionId, now],
    );
  return fresh;
}

/** Removes the caller and ends their streams. Returns whether they were in the session. */
export async function leaveSession(
  tx: Transaction,
  context: RequestContext,
  sessionId: string,
): Promise<boolean> {
  const { userId } = context.principal;
  const hasLeft = await removeParticipant(tx, sessionId, userId, isoTime(context.services.clock.now()));
  await notifyStreams(tx, { kind: 'left', sessionId, userId });
  return hasLeft;
}

/** Returns whether the user was in the session. */
export async function removeParticipant(
  tx: Transaction,
  sessionId: string,
  userId: string,
  now: string,
): Promise<boolean> {
  // Locks the session first, in the same order as joining, to avoid deadlocks.
  await tx.query('select 1 from greac_session where session_id = $1 for update', [sessionId]);
  const { rowCount } = await tx.query(
    'delete from greac_participant where session_id = $1 and user_id = $2',
    [sessionId, userId],
  );
  if (rowCount > 0) await recordExit(tx, [sessionId], now);
  return rowCount > 0;
}

/** Marks opened sessions without remaining participants as empty from now on. */
async function recordExit(tx: Queryable, sessionIds: readonly string[], now: string): Promise<void> {
  await tx.query(
    `update greac_session s set updated_at = $2, version = version + 1,
       empty_since = case when exists (select 1 from greac_participant p where p.session_id = s.session_id)
         then null else $2::timestamptz end
     where s.session_id = any($1::uuid[]) and s.status = 'opened'`,
    [sessionIds, now],
  );
}

export interface ChangedSession {
  spaceId: string;
  sessionId: string;
}

export interface SessionFailure {
  code: string;
  params: Record<string, string>;
}

/**
 * Closes an opened session, removes all participants and, after the transaction, ends its streams. Returns false
 * if it was closed before.
 */
export async function closeSession(
  tx: Transaction,
  sessionId: string,
  reason: CloseReason,
  now: string,
  failure: SessionFailure | null = null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update greac_session set status = 'closed', close_reason = $2, closed_at = $3, empty_since = null,
       disconnected_at = case when connected_at is null then null else coalesce(disconnected_at, $3::timestamptz) end,
       failure = $4, updated_at = $3, version = version + 1
     where session_id = $1 and status = 'opened'`,
    [sessionId, reason, now, failure && toStoreJson(failure)],
  );
  await tx.query('delete from greac_participant where session_id = $1', [sessionId]);
  await notifyStreams(tx, { kind: 'closed', sessionId });
  return rowCount > 0;
}

/** Tells every replica to end streams, after the transaction commits. */
export type StreamEnd =
  | { kind: 'closed'; sessionId: string }
  | { kind: 'left'; sessionId: string; userId: string };

export const streamEndChannel = 'yagura_greac';

function notifyStreams(tx: Transaction, end: StreamEnd): Promise<void> {
  return tx.notify(streamEndChannel, JSON.stringify(end));
}

/** Maximum sessions cleaned up at a time. */
const maxPerCleanup = 500;

/** Ids of the sessions with participants last seen before `seenBefore`. */
export async function findUnseenSessions(
  db: Queryable,
  seenBefore: string,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct session_id as id from greac_participant
     where seen_at <= $1 and session_id <> all($2::uuid[]) limit ${maxPerCleanup}`,
    [seenBefore, except],
  );
  return rows.map(({ id }) => id);
}

/** Removes participants of these sessions last seen before `seenBefore`; returns the sessions. */
export async function removeUnseenMembers(
  tx: Transaction,
  sessionIds: readonly string[],
  seenBefore: string,
  now: string,
): Promise<ChangedSession[]> {
  // Locks session rows first, in the same order as joining, to avoid deadlocks.
  const { rows } = await tx.query<ChangedSession>(
    `select s.space_id as "spaceId", s.session_id as "sessionId" from greac_session s
     where s.session_id = any($1::uuid[]) for update skip locked`,
    [sessionIds],
  );
  const ids = rows.map((row) => row.sessionId);
  if (ids.length === 0) return [];
  await tx.query('delete from greac_participant where session_id = any($1::uuid[]) and seen_at <= $2', [
    ids,
    seenBefore,
  ]);
  await recordExit(tx, ids, now);
  return rows;
}

/** Ids of the sessions empty since before `emptyBefore`. */
export async function findEmptySessions(
  db: Queryable,
  emptyBefore: string,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select session_id as id from greac_session
     where status = 'opened' and empty_since <= $1 and session_id <> all($2::uuid[])
     order by empty_since limit ${maxPerCleanup}`,
    [emptyBefore, except],
  );
  return rows.map(({ id }) => id);
}

/** Closes those of these sessions that are still empty since before `emptyBefore`; returns them. */
export async function closeEmptySessions(
  tx: Transaction,
  sessionIds: readonly string[],
  emptyBefore: string,
  now: string,
): Promise<ChangedSession[]> {
  const { rows } = await tx.query<ChangedSession>(
    `select space_id as "spaceId", session_id as "sessionId" from greac_session
     where session_id = any($1::uuid[]) and status = 'opened' and empty_since <= $2 for update skip locked`,
    [sessionIds, emptyBefore],
  );
  for (const { sessionId } of rows) await closeSession(tx, sessionId, 'left', now);
  return rows;
}

/** Sessions whose gateway has been away for longer than it holds sessions. */
const abandoned = `s.status = 'opened' and s.kroker_id is not null
  and not exists (select 1 from kroker_connection c where c.kroker_id = s.kroker_id and c.seen_at > $1)
  and greatest((select k.last_connected_at from kroker_state k where k.kroker_id = s.kroker_id), s.opened_at) <= $2`;

export interface AbsenceLimits {
  /** A gateway that was last seen then, or before, is disconnected. */
  seenBefore: string;
  /** A gateway that was last connected then, or before, holds no sessions any more. */
  connectedBefore: string;
}

/** Ids of the opened sessions that no gateway holds any more. */
export async function findAbandonedSessions(
  db: Queryable,
  { seenBefore, connectedBefore }: AbsenceLimits,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select s.session_id as id from greac_session s
     where ${abandoned} and s.session_id <> all($3::uuid[]) order by s.opened_at limit ${maxPerCleanup}`,
    [seenBefore, connectedBefore, except],
  );
  return rows.map(({ id }) => id);
}

/** Closes those of these sessions that still no gateway holds; returns them. */
export async function closeAbandonedSessions(
  tx: Transaction,
  sessionIds: readonly string[],
  { seenBefore, connectedBefore }: AbsenceLimits,
  now: string,
): Promise<ChangedSession[]> {
  const { rows } = await tx.query<ChangedSession>(
    `select s.space_id as "spaceId", s.session_id as "sessionId" from greac_session s
     where ${abandoned} and s.session_id = any($3::uuid[]) for update of s skip locked`,
    [seenBefore, connectedBefore, sessionIds],
  );
  for (const { sessionId } of rows) await closeSession(tx, sessionId, 'disconnected', now);
  return rows;
}
