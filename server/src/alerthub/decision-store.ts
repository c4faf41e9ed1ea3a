// Writes what was decided, all of it or nothing, in one statement.
import type { Queryable } from '../db/database.ts';
import { OutdatedBatch } from '../jobs/row-guard.ts';
import type { Decided } from './decision-part.ts';
import { decisionParts } from './decision-parts.ts';
import { firingPart } from './firing-part.ts';
import { runbookParts } from './runbook-parts.ts';
import { type Row as Arrived, arrivalColumns, arrivedText, markOf, storedText } from './store-arrivals.ts';

export interface FreshJob {
  id: string;
  actionRecordId: string;
}

interface Stored {
  taken: number;
  /** 1 when anything was stored. */
  done: number;
  jobs: FreshJob[];
}

const parts = [...decisionParts, ...runbookParts, firingPart];
const given = 'select $1::uuid as space_id, $2::timestamptz as now';

/** Applies a batch and gives the deliveries that are leased to this process. Throws when a message was taken before. */
export async function storeDecisions(db: Queryable, decided: Decided): Promise<FreshJob[]> {
  const { taken, jobs } = await run(db, decided, {
    name: 'apply',
    text: `given as (
      ${given}
    ), taken as (
      delete from message_pending where seq = any((select $3::bigint[])::bigint[]) returning seq
    )`,
    taken: '(select count(*)::int from taken)',
    values: [decided.seqs],
  });
  if (taken !== decided.seqs.length) throw new OutdatedBatch('a message of this batch was decided elsewhere');
  return jobs;
}

/**
 * The same for messages that are not in the store yet, which it puts there with what was decided about them. Undefined,
 * and nothing is stored, when one of them repeats a message or when others wait for their decision.
 */
export async function storeDecided(
  db: Queryable,
  decided: Decided,
  arrivals: readonly Arrived[],
): Promise<FreshJob[] | undefined> {
  const { done, jobs } = await run(db, decided, {
    name: 'store-and-decide',
    text: `${arrivedText(4)}, given as (
      ${given}
      where not exists (select 1 from known where original is not null) and not exists (select 1 from message_pending)
    ), ${storedText('arrived g, given')}, marked as (
      update intake_mark set place = $3::bigint where exists (select 1 from given)
    )`,
    taken: '0',
    values: [markOf(arrivals), ...arrivalColumns.of(arrivals)],
  });
  return done === 1 ? jobs : undefined;
}

/** What the statement begins with: \`given\` as the parts read it, and parameters from $3 on. */
interface Beginning {
  name: string;
  text: string;
  /** How many messages were taken out of the line. */
  taken: string;
  values: unknown[];
}

/**
 * The statement has the parts that this batch needs and no others: starting all of them costs more than writing what a
 * single message makes. Few combinations come up, and each keeps its plan.
 */
async function run(
  db: Queryable,
  decided: Decided,
  { name, text, taken, values }: Beginning,
): Promise<Stored> {
  const all = [decided.spaceId, decided.now, ...values];
  const texts = [text];
  let letters = '';
  for (const part of parts) {
    const made = part.of(decided);
    if (!made) continue;
    letters += part.letter;
    texts.push(made.text(all.length + 1));
    all.push(...made.values);
  }
  const jobs = letters.includes(firingPart.letter)
    ? `(select coalesce(json_agg(json_build_object('id', id::text, 'actionRecordId', action_record_id)), '[]'::json)
        from queued where locked_by is not null)`
    : "'[]'::json";
  const { rows } = await db.query<Stored>(
    {
      name: letters === '' ? name : `${name}-${letters}`,
      text: `with ${texts.join(', ')}
    select ${taken} as taken, (select count(*)::int from given) as done, ${jobs} as jobs`,
    },
    all,
  );
  return rows[0]!;
}
