// Tasks and their schedules, as the tests of every resource need them. No module runs the method of these tasks, so
// they rest as rejected.
import { send } from '@yagura/core/http/transport';
import type { Body, Example } from './example.ts';

const networkId = '0190a0a0-3333-7000-8000-000000000001';

export const work: Example = {
  inputs: {
    task: (label) => ({ namespace: 'sonar', method: 'example', params: { networkId, label } }),
    'task-schedule': (label) => ({
      displayName: label,
      namespace: 'sonar',
      method: 'example',
      params: { networkId },
      recurrence: { frequency: 'day', hour: 3, minute: 30, timeZone: 'Asia/Tokyo' },
    }),
  },
  async seed(server, label, pathParams) {
    const transport = server.as('privileged');
    const create = async (path: string, name: string) =>
      (await send<Body>(transport, { method: 'POST', path, body: work.inputs[name]!(label, pathParams) }))
        .data;
    const schedule = await create('/api/tasks/schedules', 'task-schedule');
    const task = await create('/api/tasks', 'task');
    return { taskId: task.taskId as string, taskScheduleId: schedule.taskScheduleId as string };
  },
  permissions: {
    // The task is a part of the snapshot.
    'sonar:viewer': { list: ['task'], show: ['task'] },
    'sonar:administrator': {
      list: ['task', 'task-schedule'],
      show: ['task', 'task-schedule'],
      create: ['task', 'task-schedule'],
      edit: ['task-schedule'],
      remove: ['task-schedule'],
      calls: ['task'],
    },
  },
  tables: ['task', 'task_schedule'],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into task (task_id, space_id, namespace, method, params, status, created_at, updated_at)
       values ($1, $2, 'sonar', 'scan', $4, 'succeeded', $3, $3)`,
      [ids.taskId, spaceId, now, JSON.stringify({ secret })],
    );
    await database.query(
      `insert into task_schedule (task_schedule_id, space_id, namespace) values ($1, $2, 'sonar')`,
      [ids.taskScheduleId, spaceId],
    );
  },
};
