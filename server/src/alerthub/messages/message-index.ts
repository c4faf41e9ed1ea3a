// Indexes evaluated messages for full-text search, from a queue of its own so that neither intake nor
// evaluation waits.
import { defaultRemovedElements, htmlToPlainText } from '@yagura/core/alerthub/engine/data/html-text';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import { InterruptibleSleep } from '../../common/time/interruptible-sleep.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { PoisonRowGuard } from '../../jobs/poison-row-guard.ts';
import type { Mail } from '../inbound-mail/parse-mail.ts';
import { MessageBody } from '../message-body/message-body.ts';
import { indexRestMs } from './index-rest.ts';
import { extractTerms } from './search-terms.ts';

export interface MessageIndexDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
  /** Messages that were received but not evaluated yet. */
  waitingMessages(): number;
  /** Measures how long the index rests between transactions; the system's clock when absent. */
  restClock?: Pick<Clock, 'after'>;
}

/** Fallback poll interval; messages evaluated by this process are announced. */
const pollIntervalMs = 10_000;
const failureMessage = 'messages could not be made findable, will be tried again';
/** Maximum messages and bytes per transaction. */
const batchSize = 50;
const batchBytes = 8 << 20;
/** Maximum bytes of a body that are indexed. */
const maxBodyBytes = 262_144;

interface QueueRow {
  seq: string;
  /** Messages that were evaluated together, less those that are done. */
  message_ids: string[];
}

interface UnindexedRow {
  message_id: string;
  space_id: string;
  summary: string;
  mail: Mail | null;
  headers: Record<string, string>;
  body: Buffer;
}

export class MessageIndex {
  private readonly job: PeriodicJob;
  private readonly guard: PoisonRowGuard<string>;
  private readonly waitingMessages: () => number;
  private readonly restClock: Pick<Clock, 'after'>;
  private readonly rest = new InterruptibleSleep();

  constructor({ database, clock, log, changes, waitingMessages, restClock = systemClock }: MessageIndexDeps) {
    this.waitingMessages = waitingMessages;
    this.restClock = restClock;
    this.guard = new PoisonRowGuard(log, {
      label: 'making messages findable',
      maxBatchSize: batchSize,
      work: (size, onFirst) => runIndexBatch(database, size, onFirst),
      firstKey: () => firstUnindexed(database),
      failRow: (messageId) => skipMessage(database, messageId),
      postpone: (messageId) => moveToEnd(database, messageId),
      isStoreResponsive: async () => (await database.query('select 1')).rows.length > 0,
    });
    this.job = new PeriodicJob({
      clock,
      log,
      intervalMs: pollIntervalMs,
      failureMessage,
      work: () => this.work(),
    });
    changes.listen((list) => {
      if (list.some(({ resource, op }) => resource === 'message' && op === 'update')) this.wake();
    });
  }

  start(): void {
    this.job.start();
    this.wake();
  }

  /** Signals that messages may be waiting. */
  wake(): void {
    void this.job.runNow();
  }

  /** Resolves when all evaluated messages are indexed. */
  idle(): Promise<void> {
    return this.job.idle();
  }

  /** Resolves when the current transaction has ended; what is not indexed yet waits for the next start. */
  close(): Promise<void> {
    const closed = this.job.close();
    this.rest.interrupt();
    return closed;
  }

  private async work(): Promise<void> {
    while (!this.job.closed) {
      const begun = performance.now();
      if (!(await this.guard.runBatch()) || this.job.closed) return;
      // Leave the database to requests and messages most of the time.
      await this.rest.sleep(indexRestMs(performance.now() - begun, this.waitingMessages()), this.restClock);
    }
  }
}

/**
 * Indexes the first messages of the queue; true if there were any. On PostgreSQL a transaction keeps other replicas
 * from the same messages. The embedded engine has one process, and its only session is free for others while terms
 * are extracted; one statement stores them and removes the messages from the queue. A message deleted meanwhile is left
 * out.
 */
function runIndexBatch(database: Database, size: number, onFirst: (first: string) => void): Promise<boolean> {
  return database.kind === 'embedded'
    ? indexBatch(database, { size, isShared: false }, onFirst)
    : database.transaction((tx) => indexBatch(tx, { size, isShared: true }, onFirst));
}

async function indexBatch(
  db: Queryable,
  { size, isShared }: { size: number; isShared: boolean },
  onFirst: (first: string) => void,
): Promise<boolean> {
  const { rows: queued } = await db.query<QueueRow>({
    name: `take-${size}-unindexed`,
    // The first rows that together have enough messages.
    text: `select q.seq::text as seq, q.message_ids::text[] as message_ids from (
             select u.seq, u.message_ids, sum(cardinality(u.message_ids)) over (order by u.seq) - cardinality(u.message_ids) as before
             from (select * from message_unindexed order by seq limit ${size} ${isShared ? 'for update skip locked' : ''}) u
           ) q where q.before < ${size} order by q.seq`,
  });
  const taken = queued.flatMap((row) => row.message_ids).slice(0, size);
  if (taken.length === 0) return false;
  onFirst(taken[0]!);
  const { rows } = await db.query<UnindexedRow>(
    {
      name: 'read-unindexed',
      text: `select q.message_id, q.space_id, q.summary, q.mail, q.headers, q.body from (
               select m.message_id, m.space_id, m.summary, m.mail, m.headers,
                 case when m.mail is null then substring(m.body from 1 for ${maxBodyBytes}) else '' end as body,
                 sum(least(m.size, ${maxBodyBytes})) over (order by t.position) - least(m.size, ${maxBodyBytes}) as before, t.position
               from unnest((select $1::uuid[])) with ordinality as t(message_id, position)
               cross join lateral (select * from message s where s.message_id = t.message_id offset 0) m
             ) q where q.before < ${batchBytes} order by q.position`,
    },
    [taken],
  );
  const read = new Set(rows.map((row) => row.message_id));
  // Messages that did not fit stay for the next batch; messages removed by retention are skipped.
  const last = rows.length === 0 ? taken.length : taken.findLastIndex((id) => read.has(id)) + 1;
  const { finished, begun } = splitQueue(queued, last);
  await db.query(
    {
      name: 'store-terms',
      // Whoever loses this in a crash loses the removal from the queue, too, and indexes the messages again. So their
      // commit need not wait for the disk, and the next message does not wait behind it.
      text: `with relaxed as materialized (
               select set_config('synchronous_commit', 'off', true)
             ), gone as (
               delete from message_unindexed where seq = any((select $1::bigint[])::bigint[])
             ), begun as (
               update message_unindexed u set message_ids = u.message_ids[cardinality(u.message_ids) - $3 + 1 :] where u.seq = $2
             )
             insert into message_search (message_id, space_id, terms)
             select x.message_id, x.space_id, array_to_tsvector(array(select jsonb_array_elements_text(x.terms)))
             from relaxed, jsonb_to_recordset($4::jsonb) as x(message_id uuid, space_id uuid, terms jsonb)
             where exists (select 1 from message m where m.message_id = x.message_id)
             on conflict (message_id) do nothing`,
    },
    [
      finished,
      begun?.seq ?? null,
      begun?.left ?? 0,
      JSON.stringify(
        rows.map((row) => ({
          message_id: row.message_id,
          space_id: row.space_id,
          terms: extractTerms(searchableText(row)),
        })),
      ),
    ],
  );
  return true;
}

/** Rows of the queue whose messages are all among the first `count`, and the one of which only some are. */
function splitQueue(
  queued: readonly QueueRow[],
  count: number,
): { finished: string[]; begun?: { seq: string; left: number } } {
  const finished: string[] = [];
  let rest = count;
  for (const { seq, message_ids } of queued) {
    if (rest < message_ids.length)
      return rest > 0 ? { finished, begun: { seq, left: message_ids.length - rest } } : { finished };
    finished.push(seq);
    rest -= message_ids.length;
  }
  return { finished };
}

async function firstUnindexed(database: Database): Promise<string | undefined> {
  const { rows } = await database.query<{ message_id: string }>(
    'select message_ids[1]::text as message_id from message_unindexed order by seq limit 1',
  );
  return rows[0]?.message_id;
}

/** Drops a message whose text cannot be split into terms; a search does not find it. */
async function skipMessage(database: Queryable, messageId: string): Promise<void> {
  await database.query(
    `with gone as (delete from message_unindexed where message_ids = array[$1::uuid])
     update message_unindexed set message_ids = array_remove(message_ids, $1::uuid)
     where $1::uuid = any(message_ids) and cardinality(message_ids) > 1`,
    [messageId],
  );
}

async function moveToEnd(database: Database, messageId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await skipMessage(tx, messageId);
    await tx.query('insert into message_unindexed (message_ids) values (array[$1::uuid])', [messageId]);
  });
}

/** Returns the whole content of a message as one text. */
function searchableText({ summary, mail, headers, body }: UnindexedRow): string {
  if (!mail) return `${summary}\n${searchableBody(new MessageBody(body, headers, { isCut: true }))}`;
  const names = mail.attachments.map(({ filename }) => filename);
  const html = mail.text ? '' : htmlToPlainText(mail.html, new Set(defaultRemovedElements));
  return [mail.subject, mail.from.name, mail.from.email, mail.text, html, ...names].join('\n');
}

function searchableBody({ contentType, text }: MessageBody): string {
  const indexed = text.slice(0, maxBodyBytes);
  if (!/^\s*application\/x-www-form-urlencoded/i.test(contentType)) return unescapeJson(indexed);
  return unescapeJson([...new URLSearchParams(indexed).values()].join('\n'));
}

/** Resolves JSON escapes: many senders escape all non-ASCII characters. */
function unescapeJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|.)/g, (_all, code: string | undefined) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
