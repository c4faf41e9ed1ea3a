// A task whose lease was taken by another process: the local run is aborted and writes nothing more, whatever
// it does.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { AbandonedLeases } from '../../src/jobs/leases/abandoned-leases.ts';
import type { RunningTask } from '../../src/jobs/task-runner.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  /** Announces a server that is alive; what a dead one had leased would be taken over. */
  let otherServer: AbandonedLeases;
  let callApi: ApiCall;
  let running: { task: RunningTask; finish(): void; fail(): void } | undefined;
  let ended: string[] = [];

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    const { database } = server.services;
    otherServer = new AbandonedLeases({ database, clock, instance: 'another server', log: () => {} });
    await otherServer.start();
    for (const method of ['once', 'resumable'])
      server.services.tasks.register('sonar', method, {
        resumable: method === 'resumable',
        run: (task) =>
          new Promise((resolve, reject) => {
            // Ignores the abort signal: its eventual result must have no effect.
            running = { task, finish: () => resolve({ late: true }), fail: () => reject(new Error('late')) };
          }),
        onEnded: async (_tx, { taskId }, end) => void ended.push(`${taskId} ${end}`),
      });
  });
  beforeEach((context) => {
    if (!server) context.skip();
    running = undefined;
    ended = [];
  });
  afterEach(() => running?.finish());
  afterAll(async () => {
    await otherServer?.close();
    await server?.stop();
  });

  async function begin(method: string): Promise<string> {
    const reply = await callApi('POST', '/api/tasks', { namespace: 'sonar', method, params: {} });
    const { taskId } = reply.data as { taskId: string };
    await expect.poll(() => running?.task.taskId).toBe(taskId);
    return taskId;
  }
  const row = async (taskId: string) =>
    (
      await server!.services.database.query<Record<string, unknown>>(
        'select status, owner, progress, result, error_descriptor, ended_at, abort_requested from task where task_id = $1',
        [taskId],
      )
    ).rows[0]!;
  const takeOver = (taskId: string) =>
    server!.services.database.query('update task set owner = $2, lease_until = $3 where task_id = $1', [
      taskId,
      'another server',
      isoTime(clock.now() + 600_000),
    ]);
  const untilOver = () => server!.services.tasks.idle();

  describe.each(['once', 'resumable'])('a run of a task %s', (method) => {
    test.each(['finish', 'fail'] as const)('that has noticed may %s: nothing is written', async (way) => {
      const taskId = await begin(method);
      await takeOver(taskId);
      const before = await row(taskId);
      clock.advance(5_000);
      await expect.poll(() => running!.task.signal.aborted).toBe(true);
      expect(running!.task.signal.reason).toBe('lost');
      running!.task.progress(80);
      running![way]();
      await untilOver();
      clock.advance(5_000);
      expect(await row(taskId)).toEqual(before);
      expect(ended).toEqual([]);
    });

    test.each(['finish', 'fail'] as const)(
      'that has not noticed yet may %s: nothing is written',
      async (way) => {
        const taskId = await begin(method);
        await takeOver(taskId);
        const before = await row(taskId);
        running!.task.progress(80);
        clock.advance(1_000);
        running![way]();
        await untilOver();
        expect(await row(taskId)).toEqual(before);
        expect(ended).toEqual([]);
      },
    );

    test('keeps its lease as long as it runs', async () => {
      const taskId = await begin(method);
      for (let beats = 0; beats < 10; beats++) {
        clock.advance(5_000);
        await expect
          .poll(async () => {
            const { rows } = await server!.services.database.query(
              'select 1 from task where task_id = $1 and lease_until >= $2',
              [taskId, isoTime(clock.now() + 25_000)],
            );
            return rows.length;
          })
          .toBe(1);
      }
      expect(running!.task.signal.aborted).toBe(false);
      running!.finish();
      await untilOver();
      expect(await row(taskId)).toMatchObject({ status: 'succeeded', result: { late: true }, owner: null });
      expect(ended).toEqual([`${taskId} succeeded`]);
    });
  });

  test('what another server runs is not taken before its lease is over, and then by one', async () => {
    const { database, spaceId, nextId } = server!.services;
    const taskId = nextId();
    const at = (offset: number) => isoTime(clock.now() + offset);
    await database.query(
      `insert into task (task_id, space_id, namespace, method, params, status, owner, lease_until, created_at, started_at, updated_at)
       values ($1, $2, 'sonar', 'resumable', '{}', 'started', 'another server', $4, $3, $3, $3)`,
      [taskId, spaceId, at(0), at(10_000)],
    );
    clock.advance(10_000);
    await server!.services.tasks.idle();
    expect(running).toBeUndefined();
    clock.advance(2_000);
    await expect.poll(() => running?.task.taskId).toBe(taskId);
    expect(running!.task.resumed).toBe(true);
    running!.finish();
    await untilOver();
    expect(await row(taskId)).toMatchObject({ status: 'succeeded' });
  });
});
