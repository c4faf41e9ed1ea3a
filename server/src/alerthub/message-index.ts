// Makes decided messages findable by what they say: takes them from their own line, so that neither intake nor deciding waits.
import { setTimeout as pause } from 'node:timers/promises';
import { defaultRemoved, htmlText } from '@yagura/core/alerthub/decide/html-text';
import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { PeriodicJob } from '../jobs/rounds.ts';
import { RowGuard } from '../jobs/row-guard.ts';
import type { Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import type { Mail } from './mail/read-mail.ts';
import { termsOf } from './search-terms.ts';

export interface MessageIndexDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

/** The net below: what this process decides is announced. */
const pollIntervalMs = 10_000;
const failure = 'messages could not be made findable, will be tried again';
/** Messages and bytes of one transaction. */
const batchSize = 50;
const batchBytes = 8 << 20;
/** After each transaction it rests for so many times what that took. */
const restFactor = 6;
/** Bytes of a body that are read; the rest of a longer one cannot be found. */
const maxBody = 262_144;

interface Row {
  message_id: string;
  space_id: string;
  summary: string;
  mail: Mail | null;
  body: Buffer;
}

const decoder = new TextDecoder('utf-8');

export class MessageIndex {
  private readonly rounds: PeriodicJob;
  private readonly guard: RowGuard<string>;

  constructor({ database, clock, log, changes }: MessageIndexDeps) {
    this.guard = new RowGuard(log, {
      what: 'making messages findable',
      most: batchSize,
      work: (size, took) => database.transaction((tx) => indexSome(tx, size, took)),
      first: () => firstUnindexed(database),
      fail: (seq) => leaveOut(database, seq),
      setAside: (seq) => putLast(database, seq),
      answers: async () => (await database.query('select 1')).rows.length > 0,
    });
    this.rounds = new PeriodicJob({
      clock,
      log,
      intervalMs: pollIntervalMs,
      failure,
      work: () => this.work(),
    });
    changes.listen((list) => {
      if (list.some(({ resource, op }) => resource === 'message' && op === 'update')) this.wake();
    });
  }

  start(): void {
    this.rounds.start();
    this.wake();
  }

  /** Says that messages may be waiting. */
  wake(): void {
    void this.rounds.look();
  }

  /** Resolves when every decided message can be found. */
  idle(): Promise<void> {
    return this.rounds.idle();
  }

  close(): Promise<void> {
    return this.rounds.close();
  }

  private async work(): Promise<void> {
    for (;;) {
      const begun = performance.now();
      if (!(await this.guard.turn()) || this.rounds.closed) return;
      // Calls and messages have the store to themselves most of the time.
      await pause((performance.now() - begun) * restFactor);
    }
  }
}

/** Takes the first of the line; true when there were any. */
async function indexSome(tx: Transaction, size: number, took: (first: string) => void): Promise<boolean> {
  const { rows: taken } = await tx.query<{ seq: string; message_id: string }>({
    name: `take-${size}-unindexed`,
    text: `select seq::text as seq, message_id from message_unindexed order by message_unindexed.seq limit ${size}
           for update skip locked`,
  });
  if (taken.length === 0) return false;
  took(taken[0]!.seq);
  const { rows } = await tx.query<Row>(
    {
      name: 'read-unindexed',
      text: `select q.* from (
               select m.message_id, m.space_id, m.summary, m.mail,
                 case when m.mail is null then substring(m.body from 1 for ${maxBody}) else '' end as body,
                 sum(least(m.size, ${maxBody})) over (order by t.position) - least(m.size, ${maxBody}) as before, t.position
               from unnest((select $1::uuid[])) with ordinality as t(message_id, position)
               cross join lateral (select * from message s where s.message_id = t.message_id offset 0) m
             ) q where q.before < ${batchBytes} order by q.position`,
    },
    [taken.map((one) => one.message_id)],
  );
  const read = new Set(rows.map((row) => row.message_id));
  // What did not fit is left for the next turn; what retention has removed meanwhile is passed over.
  const last = rows.length === 0 ? taken.length : taken.findLastIndex((one) => read.has(one.message_id)) + 1;
  const done = taken.slice(0, last);
  await tx.query(
    {
      name: 'store-terms',
      text: `with gone as (
               delete from message_unindexed where seq = any((select $1::bigint[])::bigint[])
             )
             insert into message_search (message_id, space_id, terms)
             select x.message_id, x.space_id, array_to_tsvector(array(select jsonb_array_elements_text(x.terms)))
             from jsonb_to_recordset($2::jsonb) as x(message_id uuid, space_id uuid, terms jsonb)
             on conflict (message_id) do nothing`,
    },
    [
      done.map((one) => one.seq),
      JSON.stringify(
        rows.map((row) => ({
          message_id: row.message_id,
          space_id: row.space_id,
          terms: termsOf(textOf(row)),
        })),
      ),
    ],
  );
  return true;
}

async function firstUnindexed(database: Database): Promise<string | undefined> {
  const { rows } = await database.query<{ seq: string }>(
    'select seq::text as seq from message_unindexed order by message_unindexed.seq limit 1',
  );
  return rows[0]?.seq;
}

/** What a message says that cannot be split into terms is not found by them. */
async function leaveOut(database: Database, seq: string): Promise<void> {
  await database.query('delete from message_unindexed where seq = $1', [seq]);
}

async function putLast(database: Database, seq: string): Promise<void> {
  await database.query(
    `with gone as (delete from message_unindexed where seq = $1 returning message_id)
     insert into message_unindexed (message_id) select message_id from gone`,
    [seq],
  );
}

/** Everything that a message says, as one text. */
function textOf({ summary, mail, body }: Row): string {
  if (!mail) return `${summary}\n${unescaped(decoder.decode(body))}`;
  const names = mail.attachments.map(({ filename }) => filename);
  const html = mail.text ? '' : htmlText(mail.html, new Set(defaultRemoved));
  return [mail.subject, mail.from.name, mail.from.email, mail.text, html, ...names].join('\n');
}

/** JSON as it reads: many senders escape everything but ASCII. */
function unescaped(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|.)/g, (_all, code: string | undefined) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
