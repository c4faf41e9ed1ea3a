// Collects what notification mails report: failed actions, runbooks and messages, and actions that work
// again.

import type { Reason } from '@yagura/core/alerthub/decision-log';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Queryable, Transaction } from '../../db/database.ts';

/** In the order of the mail; the first kind that has a subject determines the subject line. */
export const noticeKinds = [
  'failed',
  'late',
  'runbook',
  'message',
  'trigger',
  'full',
  'scopes',
  'scope',
  'slot',
  'schedule',
  'works',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Something to report; at most one mail per hour for each. */
export interface NoticeSubject {
  kind: NoticeKind;
  subjectId: string;
  name: string | null;
  count: number;
  from: string;
  to: string;
  reason: Reason | null;
  scopes: string[];
}

/**
 * ISO 8601. Subjects reported since `cooldownSince` wait; failures after `before` wait for others to be gathered
 * with them.
 */
export interface NoticeTimestamps {
  now: string;
  cooldownSince: string;
  before: string;
}

/** Maximum subjects of one kind per mail; the rest goes into the next one. */
const maxSubjects = 50;
const maxScopes = 5;

const isInCooldownSql = (subject: string) =>
  `exists (select 1 from failure_notice f where f.space_id = a.space_id and f.action_id = ${subject} and f.sent_at > $2)`;

/** Ids of spaces that may have something to report. */
export async function spacesWithFailures(db: Queryable, before: string): Promise<string[]> {
  const { rows } = await db.query<{ space_id: string }>(
    {
      name: 'troubled-spaces',
      text: `select space_id from action_record
             where status = 'failed' and noticed_at is null and not drill and updated_at <= $1
             union select space_id from action_trouble where late_at <= $1 and (told_at is null or worked_at <= $1)
             union select space_id from runbook_record where status = 'failed' and noticed_at is null and updated_at <= $1
             union select space_id from trouble where noticed_at is null and created_at <= $1`,
    },
    [before],
  );
  return rows.map(({ space_id }) => space_id);
}

/** Returns what to report in a space, and marks it as reported. */
export async function claimSubjects(
  tx: Transaction,
  spaceId: string,
  times: NoticeTimestamps,
): Promise<NoticeSubject[]> {
  return [
    ...(await claimFailedActions(tx, spaceId, times)),
    ...(await claimLateActions(tx, spaceId, times)),
    ...(await claimFailedRunbooks(tx, spaceId, times)),
    ...(await claimTroubles(tx, spaceId, times)),
  ];
}

async function claimFailedActions(
  tx: Transaction,
  spaceId: string,
  times: NoticeTimestamps,
): Promise<NoticeSubject[]> {
  const { rows } = await tx.query<NoticeSubjectRow>(
    `select a.action_id as id, r.body->>'displayName' as name, count(*)::int as count, min(a.updated_at) as from_at,
       max(a.updated_at) as to_at, array_remove(array_agg(distinct a.scope_id::text), null) as scopes,
       (array_agg(a.attempts->-1->'reason' order by a.updated_at desc))[1] as reason
     from action_record a
     left join resource r on r.space_id = a.space_id and r.kind = 'action' and r.id = a.action_id
     where a.space_id = $1 and a.status = 'failed' and a.noticed_at is null and not a.drill and not ${isInCooldownSql('a.action_id')}
     group by a.action_id, r.body->>'displayName' having min(a.updated_at) <= $3
     order by min(a.updated_at), a.action_id limit ${maxSubjects}`,
    [spaceId, times.cooldownSince, times.before],
  );
  if (rows.length > 0)
    await tx.query(
      `update action_record set noticed_at = $3 where space_id = $1 and action_id = any($2::uuid[])
         and status = 'failed' and noticed_at is null and not drill`,
      [spaceId, rows.map(({ id }) => id), times.now],
    );
  return rows.map((row) => toSubject('failed', row));
}

/** Actions whose deliveries keep failing, and reported ones that work again. */
async function claimLateActions(
  tx: Transaction,
  spaceId: string,
  times: NoticeTimestamps,
): Promise<NoticeSubject[]> {
  // A recovery before the failure was reported need not be reported.
  await tx.query('delete from action_trouble where space_id = $1 and told_at is null and worked_at <= $2', [
    spaceId,
    times.before,
  ]);
  const { rows } = await tx.query<NoticeSubjectRow & { works: boolean }>(
    `select a.action_id as id, r.body->>'displayName' as name, a.late_count as count, a.since as from_at,
       coalesce(a.worked_at, a.late_at) as to_at, '{}'::text[] as scopes, a.reason, a.worked_at is not null as works
     from action_trouble a
     left join resource r on r.space_id = a.space_id and r.kind = 'action' and r.id = a.action_id
     where a.space_id = $1 and a.late_at <= $3 and (a.told_at is null or a.worked_at <= $3) and not ${isInCooldownSql('a.action_id')}
     order by a.since, a.action_id limit ${maxSubjects}`,
    [spaceId, times.cooldownSince, times.before],
  );
  const idsOf = (works: boolean) => rows.filter((row) => row.works === works).map(({ id }) => id);
  await tx.query('update action_trouble set told_at = $2 where action_id = any($1::uuid[])', [
    idsOf(false),
    times.now,
  ]);
  await tx.query('delete from action_trouble where action_id = any($1::uuid[])', [idsOf(true)]);
  return rows.map((row) => toSubject(row.works ? 'works' : 'late', row));
}

async function claimFailedRunbooks(
  tx: Transaction,
  spaceId: string,
  times: NoticeTimestamps,
): Promise<NoticeSubject[]> {
  const { rows } = await tx.query<NoticeSubjectRow>(
    `select a.runbook_id as id, max(a.display_name) as name, count(*)::int as count, min(a.updated_at) as from_at,
       max(a.updated_at) as to_at, array_remove(array_agg(distinct a.source_scope_id::text), null) as scopes,
       (array_agg(a.reason order by a.updated_at desc))[1] as reason
     from runbook_record a
     where a.space_id = $1 and a.status = 'failed' and a.noticed_at is null and not ${isInCooldownSql('a.runbook_id')}
     group by a.runbook_id having min(a.updated_at) <= $3
     order by min(a.updated_at), a.runbook_id limit ${maxSubjects}`,
    [spaceId, times.cooldownSince, times.before],
  );
  if (rows.length > 0)
    await tx.query(
      `update runbook_record set noticed_at = $3 where space_id = $1 and runbook_id = any($2::uuid[])
         and status = 'failed' and noticed_at is null`,
      [spaceId, rows.map(({ id }) => id), times.now],
    );
  return rows.map((row) => toSubject('runbook', row));
}

async function claimTroubles(
  tx: Transaction,
  spaceId: string,
  times: NoticeTimestamps,
): Promise<NoticeSubject[]> {
  const { rows } = await tx.query<NoticeSubjectRow & { kind: NoticeKind }>(
    `select a.kind, a.subject_id as id, max(r.body->>'displayName') as name, count(*)::int as count,
       min(a.created_at) as from_at, max(a.created_at) as to_at, '{}'::text[] as scopes,
       (array_agg(a.reason order by a.created_at desc))[1] as reason
     from trouble a left join resource r on r.space_id = a.space_id and r.id = a.subject_id
     where a.space_id = $1 and a.noticed_at is null and not ${isInCooldownSql('a.subject_id')}
     group by a.kind, a.subject_id having min(a.created_at) <= $3
     order by min(a.created_at), a.subject_id limit ${maxSubjects}`,
    [spaceId, times.cooldownSince, times.before],
  );
  if (rows.length > 0)
    await tx.query(
      `update trouble set noticed_at = $3 where space_id = $1 and subject_id = any($2::uuid[]) and noticed_at is null`,
      [spaceId, rows.map(({ id }) => id), times.now],
    );
  return rows.map((row) => toSubject(row.kind, row));
}

/** Deletes rows that were reported long ago. */
export async function deleteOldNotices(db: Queryable, before: string): Promise<void> {
  await db.query('delete from trouble where noticed_at < $1', [before]);
}

function toSubject(kind: NoticeKind, row: NoticeSubjectRow): NoticeSubject {
  const { id, name, count, from_at, to_at, scopes, reason } = row;
  return { kind, subjectId: id, name, count, from: from_at, to: to_at, scopes, reason };
}

/** Console page for a subject of each kind. */
const pathsByKind: Record<NoticeKind, string | null> = {
  failed: 'alerthub/actions',
  late: 'alerthub/actions',
  works: 'alerthub/actions',
  runbook: 'alerthub/runbooks',
  message: 'alerthub/receive-slots',
  slot: 'alerthub/receive-slots',
  scopes: 'alerthub/receive-slots',
  full: 'alerthub/scopes',
  scope: 'alerthub/scopes',
  trigger: null,
  schedule: null,
};

/** One paragraph of a notice. */
export function formatParagraph(subject: NoticeSubject, t: Translate, origin: string): string {
  const { kind, subjectId, name, count, from, to, scopes, reason } = subject;
  const at = (path: string) => `${origin}/apps/${path}`;
  const screen = pathsByKind[kind];
  const more = scopes.length - maxScopes;
  const link = screen === 'alerthub/actions' ? 'notice.action-link' : 'notice.link';
  return [
    t(kind === 'failed' ? 'notice.action' : `notice.one-${kind}`, {
      name: name ?? subjectId,
      count,
      from,
      to,
    }),
    ...(reason ? [t('notice.reason', { reason: formatReason(reason, t) })] : []),
    ...(screen ? [t(link, { url: at(`${screen}/${subjectId}`) })] : []),
    ...scopes.slice(0, maxScopes).map((id) => t('notice.scope-link', { url: at(`alerthub/scopes/${id}`) })),
    ...(more > 0 ? [t('notice.more-scopes', { count: more })] : []),
  ].join('\n');
}

interface NoticeSubjectRow {
  id: string;
  name: string | null;
  count: number;
  from_at: string;
  to_at: string;
  scopes: string[];
  reason: Reason | null;
}
