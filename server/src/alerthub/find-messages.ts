// Finds messages by their words: rare ones from the index of words, common ones on the way through the messages themselves.
import type { Database } from '../db/database.ts';
import { Sql } from '../resource/sql.ts';
import { type Found, type OrderedScan, oneOf } from '../resource/table.ts';
import { searchQuery } from './search-terms.ts';

/** Of a message in its list. */
const id = 'm.message_id';
/** Words that more messages say are common: a page of them is found sooner by reading messages in their order. */
const maxRare = 20_000;
/** Messages that are met to see how common the words are, and to fill a page. */
const firstLook = 300;
const maxMet = 3000;
/** Messages that are found on the way when the page needs fewer: so many are told of at least. */
const maxTold = 200;

export async function findMessages(
  database: Database,
  spaceId: string,
  words: string,
  walk: OrderedScan | undefined,
): Promise<Found> {
  const query = searchQuery(words);
  if (query === null) return { condition: () => 'false' };
  const met = walk && (await findOnTheWay(database, query, walk));
  if (met) return { condition: oneOf(id, met), least: met.length };
  // The store cannot tell how many messages begin a word like this, and would read them all for fear of the index.
  const ids = await database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const { rows } = await tx.query<{ ids: string[] }>(
      `select array(select message_id from message_search where terms @@ $2::tsquery and space_id = $1
         limit ${maxRare + 1}) as ids`,
      [spaceId, query],
    );
    return rows[0]!.ids;
  });
  if (ids.length <= maxRare) return { condition: oneOf(id, ids) };
  return { condition: (sql) => says(id, sql.value(query, 'tsquery')) };
}

/** What the page needs, when words are so common that few messages are met until then. */
async function findOnTheWay(
  database: Database,
  query: string,
  walk: OrderedScan,
): Promise<string[] | undefined> {
  const seen = await meet(database, query, walk, firstLook);
  if (seen.length >= walk.need) return seen;
  const more = Math.ceil((1.5 * walk.need * firstLook) / seen.length);
  if (more > maxMet) return undefined;
  const all = await meet(database, query, walk, more);
  return all.length >= walk.need ? all : undefined;
}

/** Those of the first so many messages that say the words. */
async function meet(database: Database, query: string, walk: OrderedScan, count: number): Promise<string[]> {
  const sql = new Sql();
  const direction = walk.descending ? 'desc' : 'asc';
  const { rows } = await database.query<{ ids: string[] }>(
    `select array(select w.id from (${walk.first(sql, count)}) w where ${says('w.id', sql.value(query, 'tsquery'))}
       order by w.at ${direction}, w.id ${direction} limit ${Math.max(walk.need, maxTold)}) as ids`,
    sql.values,
  );
  return rows[0]!.ids;
}

const says = (id: string, query: string) =>
  `(select s.terms from message_search s where s.message_id = ${id}) @@ ${query}`;
