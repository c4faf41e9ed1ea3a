// Task schedules: their next run and who may change them.
import { invalidField } from '@yagura/core/http/problem';
import { nextRun } from '@yagura/core/schedule/next-run';
import { scheduleKind, type Timing } from '@yagura/core/schedule/schedule';
import { scanTaskName } from '@yagura/core/sonar/scan-schedules';
import { namespacePermission } from '@yagura/core/tasks/task-permissions';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { isoTime } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Transaction } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { bodyTable } from '../resource/list/table.ts';
import { checkReferences } from '../resource/references.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { narrowTo } from './task-behaviour.ts';

type ScheduleBody = Timing & {
  disabled: boolean;
  namespace: string;
  method: string;
  params: Record<string, unknown>;
  [field: string]: unknown;
};

export const taskScheduleBehaviour: Behaviour<typeof taskSchedule> = {
  resource: taskSchedule,
  table: bodyTable(taskSchedule, {
    join: 'left join task_schedule s on s.task_schedule_id = r.id',
    select: 's.next_run_at, s.last_run_at, s.last_task_id',
    columns: {
      nextRunAt: { sql: 's.next_run_at', type: 'time' },
      lastRunAt: { sql: 's.last_run_at', type: 'time' },
    },
    item: (row) => ({
      nextRunAt: row.next_run_at ?? null,
      lastRunAt: row.last_run_at ?? null,
      lastTaskId: row.last_task_id ?? null,
    }),
  }),
  rowFilter: narrowTo('task-schedules', `r.body->>'namespace'`),
  body(context, input, before) {
    const verb = before ? 'update' : 'create';
    for (const { namespace } of [input, before ?? input] as ScheduleBody[])
      context.require(namespacePermission(namespace, 'task-schedules', verb));
    const timing = input as ScheduleBody;
    const kind = scheduleKind(timing);
    const restartsSchedule = !before || before.disabled || before.oneshot !== timing.oneshot;
    if (kind === 'oneshot' && !timing.disabled && restartsSchedule) {
      if (Date.parse(timing.oneshot!) <= context.services.clock.now())
        throw invalidField('oneshot', context.t('rule.future'));
    }
    return { ...input, kind };
  },
  async afterWrite(tx, context, id, body, before) {
    const after = body as ScheduleBody;
    await checkNetwork(tx, context, after, before as ScheduleBody | undefined);
    if (before && sameRuns(before as ScheduleBody, after)) return;
    const next = after.disabled ? undefined : nextRun(after, context.services.clock.now());
    await tx.query(
      `insert into task_schedule (task_schedule_id, space_id, namespace, next_run_at) values ($1, $2, $3, $4)
       on conflict (task_schedule_id) do update set next_run_at = excluded.next_run_at, namespace = excluded.namespace`,
      [id, context.spaceId, after.namespace, next === undefined ? null : isoTime(next)],
    );
  },
  async afterRemove(tx: Transaction, context, id) {
    const { rows } = await tx.query<{ namespace: string }>(
      'delete from task_schedule where space_id = $1 and task_schedule_id = $2 returning namespace',
      [context.spaceId, id],
    );
    context.require(namespacePermission(rows[0]!.namespace, 'task-schedules', 'delete'));
  },
};

/** Throws unless the network that a schedule scans exists. The network cannot be deleted until the write is committed. */
async function checkNetwork(
  tx: Transaction,
  context: RequestContext,
  { namespace, method, params }: ScheduleBody,
  before: ScheduleBody | undefined,
): Promise<void> {
  if (namespace !== scanTaskName.namespace || method !== scanTaskName.method) return;
  const { networkId: id } = params;
  if (before && before.params.networkId === id) return;
  const path = 'params.networkId';
  if (typeof id !== 'string' || !isUuid(id)) throw invalidField(path, context.t('rule.reference'));
  await checkReferences(tx, context, [{ path, resource: 'network', id }]);
}

/** True when an edit changes neither when nor as whom it runs, so that a run due right now is not lost. */
function sameRuns(before: ScheduleBody, after: ScheduleBody): boolean {
  const timing = ({ disabled, namespace, oneshot, recurrence }: ScheduleBody) =>
    JSON.stringify([disabled, namespace, oneshot ?? null, ordered(recurrence)]);
  return timing(before) === timing(after);
}

/** The database does not preserve the order of object keys. */
function ordered(value: object | null | undefined): unknown {
  return value ? Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)) : null;
}
