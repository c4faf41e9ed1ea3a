// Finds messages by their words: rare ones from the index of words, common ones on the way through the messages themselves.
import type { Database } from '../db/database.ts';
import type { Sql } from '../resource/sql.ts';
import { searchQuery } from './search-terms.ts';

/** Words that more messages say are common: a page of them is found sooner by reading messages in their order. */
const mostRare = 20_000;

/** The condition over table `message` as `m`. */
export async function findMessages(
  database: Database,
  spaceId: string,
  words: string,
): Promise<(sql: Sql) => string> {
  const query = searchQuery(words);
  if (query === null) return () => 'false';
  // The store cannot tell how many messages begin a word like this, and would read them all for fear of the index.
  const ids = await database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const { rows } = await tx.query<{ ids: string[] }>(
      `select array(select message_id from message_search where terms @@ $2::tsquery and space_id = $1
         limit ${mostRare + 1}) as ids`,
      [spaceId, query],
    );
    return rows[0]!.ids;
  });
  if (ids.length <= mostRare) return (sql) => `m.message_id = any(${sql.value(ids, 'uuid[]')})`;
  return (sql) =>
    `(select s.terms from message_search s where s.message_id = m.message_id) @@ ${sql.value(query, 'tsquery')}`;
}
