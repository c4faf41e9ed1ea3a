// Gauges of what waits: in the intake journal, for evaluation, and in the queues of jobs.
import { Gauge, type Registry } from 'prom-client';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';

export interface QueueMetricsDeps {
  database: Queryable;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Messages and bytes that were acknowledged and are not yet in the database. */
  intake: { readonly waitingMessages: number; readonly waitingBytes: number };
}

/** Counting stops here, so that a large backlog does not slow down the database. */
const maxCounted = 10_000;
/** Milliseconds for which the values are cached, and after which the database counts as unavailable. */
const cacheMs = 5_000;
const timeoutMs = 2_000;

interface QueueRow {
  queue: string;
  due: number;
  oldest: string | null;
}

const queuesStatement = {
  name: 'metrics-queues',
  text: `
    with recursive queues as (
      select min(queue) as queue from job
      union all
      select (select min(j.queue) from job j where j.queue > q.queue) from queues q where q.queue is not null
    )
    select q.queue,
      (select count(*)::int from (select 1 from job j where j.queue = q.queue and j.run_at <= $1 limit ${maxCounted}) c) as due,
      (select min(j.run_at) from job j where j.queue = q.queue) as oldest
    from queues q where q.queue is not null`,
};
const pendingStatement = {
  name: 'metrics-pending',
  text: `
    select
      (select count(*)::int from (select 1 from message_pending limit ${maxCounted}) c) as waiting,
      (select m.received_at from message_pending p join message m on m.message_id = p.message_id order by p.seq limit 1) as oldest`,
};

/** Registers the gauges; the returned function updates them and never rejects. */
export function registerQueueMetrics(registry: Registry, deps: QueueMetricsDeps): () => Promise<void> {
  const { database, clock, intake } = deps;
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const capped = `at most ${maxCounted} are counted`;
  const isUp = gauge('yagura_database_up', 'Whether the database answers');
  const waitingMessages = gauge(
    'yagura_intake_waiting_messages',
    'Acknowledged messages of the intake journal that are not yet in the database',
  );
  const waitingBytes = gauge(
    'yagura_intake_waiting_bytes',
    'Bytes of acknowledged messages that are not yet in the database',
  );
  const undecided = gauge('yagura_messages_undecided', `Stored messages that wait for evaluation; ${capped}`);
  const undecidedAge = gauge(
    'yagura_messages_undecided_oldest_seconds',
    'Age of the oldest stored message that waits for evaluation',
  );
  const due = gauge('yagura_jobs_due', `Jobs that are due, by queue; ${capped}`, ['queue']);
  const delay = gauge('yagura_jobs_delay_seconds', 'Time since the oldest job of a queue became due', [
    'queue',
  ]);
  /** Queues that had a job; an empty one is shown as 0. */
  const known = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<boolean> | undefined;

  return async () => {
    waitingMessages.set(intake.waitingMessages);
    waitingBytes.set(intake.waitingBytes);
    if (clock.now() - readAt < cacheMs) return;
    // A database that does not answer is not asked again.
    reading ??= readQueues()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        reading = undefined;
      });
    let stop = () => {};
    const late = new Promise<boolean>((resolve) => {
      stop = clock.after(timeoutMs, () => resolve(false));
    });
    const answered = await Promise.race([reading, late]);
    stop();
    isUp.set(answered ? 1 : 0);
    if (answered) return;
    // An old value would look like a quiet queue.
    undecided.remove();
    undecidedAge.remove();
    due.reset();
    delay.reset();
  };

  async function readQueues(): Promise<void> {
    const now = clock.now();
    const queues = await database.query<QueueRow>(queuesStatement, [isoTime(now)]);
    const pending = await database.query<{ waiting: number; oldest: string | null }>(pendingStatement);
    const secondsSince = (at: string | null | undefined) =>
      at ? Math.max((now - Date.parse(at)) / 1000, 0) : 0;
    readAt = now;
    const { waiting, oldest } = pending.rows[0]!;
    undecided.set(waiting);
    undecidedAge.set(secondsSince(oldest));
    const rows = new Map(queues.rows.map((row) => [row.queue, row]));
    for (const queue of rows.keys()) known.add(queue);
    for (const queue of known) {
      due.set({ queue }, rows.get(queue)?.due ?? 0);
      delay.set({ queue }, secondsSince(rows.get(queue)?.oldest));
    }
  }
}
