// Tasks: who sees which, and aborting one.
import { permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { Problem } from '@yagura/core/http/problem';
import { task } from '@yagura/core/tasks/task';
import {
  namespacePermission,
  readableNamespaces,
  type TaskResource,
} from '@yagura/core/tasks/task-permissions';
import { type ErrorDescriptor, translateDescriptor } from '../jobs/task-runner.ts';
import type { Tasks } from '../jobs/tasks.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import { findItem, reloadItem } from '../resource/item-store.ts';
import type { Sql } from '../resource/list/sql.ts';
import { rowTable } from '../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';

export interface TaskServices extends ResourceServices {
  tasks: Tasks;
}

/** Condition that limits a list to namespaces the caller may read. */
export function narrowTo(resource: TaskResource, column: string) {
  return ({ principal }: RequestContext, sql: Sql): string | undefined => {
    const readable = readableNamespaces(permissionsOf(principal.claims, roleMap), resource);
    return readable === 'everything' ? undefined : `${column} = any(${sql.value(readable, 'text[]')})`;
  };
}

const taskTable = rowTable(task, { from: 'task t', alias: 't' });

const narrowTasks = narrowTo('tasks', 't.namespace');

async function findTask(context: RequestContext) {
  const { database } = context.services;
  return findItem(database, context, task, taskTable, context.params.taskId ?? '', (sql) =>
    narrowTasks(context, sql),
  );
}

function presentTask({ t }: Pick<RequestContext, 't'>, item: Record<string, unknown>) {
  return { ...item, errorDescriptor: translateDescriptor(item.errorDescriptor as ErrorDescriptor | null, t) };
}

export const taskBehaviour: Behaviour<typeof task, TaskServices> = {
  resource: task,
  table: taskTable,
  rowFilter: narrowTasks,
  present: presentTask,
  async create(tx, context, input) {
    const { tasks } = context.services;
    const { namespace, method, params } = input;
    context.require(namespacePermission(namespace, 'tasks', 'create'));
    const { taskId } = await tasks.requestInTransaction(tx, {
      spaceId: context.spaceId,
      namespace,
      method,
      params: params as Record<string, unknown>,
      requestedBy: context.principal.userId,
    });
    const { item } = await reloadItem(tx, context, task, taskTable, taskId);
    return {
      item: presentTask(context, item),
      onCommitted: () => tasks.announceRequested(context.spaceId, taskId),
    };
  },
  calls: {
    async abort(context) {
      const before = await findTask(context);
      if (!before) throw itemNotFound(context, task);
      const { taskId, namespace } = before.item as { taskId: string; namespace: string };
      context.require(namespacePermission(namespace, 'tasks', 'abort'));
      const isAccepted = await context.services.tasks.abort(context.spaceId, taskId, context.record);
      const { item } = (await findTask(context))!;
      if (['rejected', 'failed', 'succeeded'].includes(item.status as string))
        throw new Problem('not-possible', { detail: context.t('task.ended') });
      if (!isAccepted && item.status !== 'aborted')
        throw new Problem('not-possible', { detail: context.t('task.too-late') });
      return presentTask(context, item);
    },
  },
};
