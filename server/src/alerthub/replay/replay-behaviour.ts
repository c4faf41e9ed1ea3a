// Starts, monitors and aborts replays; a replay runs as a task, so that it outlives the request.

import { checkContent } from '@yagura/core/alerthub/engine/evaluation/check-content';
import type { ConfigRows } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { type ReplayChange, type ReplayStatus, replay } from '@yagura/core/alerthub/replay';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import { trigger } from '@yagura/core/alerthub/trigger';
import { Problem } from '@yagura/core/http/problem';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { type AnyResource, inputFields } from '@yagura/core/resource/define-resource';
import type { TaskStatus } from '@yagura/core/tasks/task';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import { isUuid } from '../../common/id.ts';
import { type ErrorDescriptor, translateDescriptor } from '../../jobs/task-runner.ts';
import type { Tasks } from '../../jobs/tasks.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { loadConfigRows } from '../pipeline/pipeline-config.ts';
import { rejectFlowErrors } from '../rules/reject-flow-errors.ts';
import { findStoredRow } from './replay-settings.ts';
import { replayTaskName } from './replay-task.ts';

export interface ReplayServices extends ResourceServices {
  tasks: Tasks;
}

const resources: Record<ReplayChange['kind'], AnyResource> = {
  rule,
  trigger,
  scope,
  'mute-schedule': muteSchedule,
};

export const replayBehaviour: Behaviour<typeof replay, ReplayServices> = {
  resource: replay,
  calls: {
    async start(context, given) {
      const { database, tasks } = context.services;
      const { days, change } = given;
      const rows = await loadConfigRows(database, context.spaceId, context.services.sealing);
      const params = { days, change: change && validateChange(context, rows, change) };
      const { spaceId, principal } = context;
      const { taskId, status } = await tasks.request(
        { spaceId, ...replayTaskName, params, requestedBy: principal.userId },
        context.record,
      );
      return { replayId: taskId, status: replayStatus[status] };
    },
    async state(context) {
      const { task_id, status, errorDescriptor: stored, ...row } = await loadTask(context);
      const errorDescriptor = translateDescriptor(stored, context.t);
      return { replayId: task_id, status: replayStatus[status], ...row, errorDescriptor };
    },
    async abort(context) {
      const { task_id } = await loadTask(context);
      await context.services.tasks.abort(context.spaceId, task_id, context.record);
      return undefined;
    },
  },
};

/** Returns the change with its complete body. Rejects it with an error at the faulty field of `change`. */
function validateChange(context: RequestContext, rows: ConfigRows, change: ReplayChange): ReplayChange {
  const stored = findStoredRow(rows, change);
  const held = rows.scopes.some(({ scopeId }) => scopeId === change.scopeId);
  if (change.id !== null && !stored) throw invalidField(context, 'change.id', 'rule.reference');
  if (change.id === null && change.body === null) throw invalidField(context, 'change.body', 'rule.required');
  const inScope = change.kind === 'trigger' || change.kind === 'mute-schedule';
  if (inScope && !stored && !held) throw invalidField(context, 'change.scopeId', 'rule.reference');
  const scopeId = inScope ? ((stored?.scopeId as string | undefined) ?? change.scopeId) : null;
  if (change.body === null) return { ...change, scopeId };
  const resource = resources[change.kind];
  const own = Object.entries(stored ?? {}).filter(([name]) => name in inputFields(resource));
  const whole = { ...Object.fromEntries(own), ...change.body };
  const parsed = resource.input!.safeParse(whole);
  if (!parsed.success) {
    throw new Problem('invalid', {
      invalidParams: invalidParams(parsed.error, context.t, whole).map(({ name, reason }) => ({
        name: `change.body.${name}`,
        reason,
      })),
    });
  }
  const body = parsed.data as Record<string, unknown>;
  rejectFlowErrors(
    context,
    checkContent(resource.name, body).map((error) => error.withPathPrefix('change.body')),
  );
  return { ...change, scopeId, body };
}

function invalidField(context: RequestContext, name: string, word: MessageKey): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason: context.t(word) }] });
}

/** Maps task statuses to the coarser ones of a replay. */
const replayStatus: Record<TaskStatus, ReplayStatus> = {
  requested: 'processing',
  started: 'processing',
  succeeded: 'succeeded',
  aborted: 'aborted',
  rejected: 'failed',
  failed: 'failed',
};

interface TaskRow {
  task_id: string;
  status: TaskStatus;
  progress: number | null;
  errorDescriptor: ErrorDescriptor | null;
  result: unknown;
}

async function loadTask(context: RequestContext): Promise<TaskRow> {
  const { replayId } = context.params;
  const { rows } = isUuid(replayId)
    ? await context.services.database.query<TaskRow>(
        `select task_id, status, progress, error_descriptor as "errorDescriptor", result from task
         where space_id = $1 and task_id = $2 and namespace = $3 and method = $4`,
        [context.spaceId, replayId, replayTaskName.namespace, replayTaskName.method],
      )
    : { rows: [] };
  if (!rows[0]) throw itemNotFound(context, replay);
  return rows[0];
}
