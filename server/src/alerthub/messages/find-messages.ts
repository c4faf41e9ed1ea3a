// Full-text search of messages: uses the index for rare words and leaves it to the list to read the messages in its
// order for common ones.
import type { Database } from '../../db/database.ts';
import { Sql } from '../../resource/list/sql.ts';
import { minReported, type OrderedScan, oneOf, type SearchMatch } from '../../resource/list/table.ts';
import { toSearchQuery } from './search-terms.ts';

/** Message id in the query of the list. */
const idColumn = 'm.message_id';
/** Words that match more messages are common: scanning messages in order then fills a page sooner. */
const maxRare = 20_000;
/** Messages scanned to estimate how common the words are, and at most to fill a page. */
const firstScanSize = 300;
const maxScanned = 3000;
/** Pages of the table read to estimate how common the words are. */
const sampledPages = 200;
/** Milliseconds until a message is usually indexed. */
const usualWaitMs = 5000;
/** Entries of the queue among which the first message of a space is looked for. */
const maxQueued = 1000;

export async function findMessages(
  database: Database,
  spaceId: string,
  words: string,
  scan: OrderedScan | undefined,
): Promise<SearchMatch> {
  const query = toSearchQuery(words);
  if (query === null) return { condition: () => 'false' };
  const met = scan && (await findByScanning(database, query, scan));
  if (met) return { condition: oneOf(idColumn, met), minCount: met.length };
  const common: SearchMatch = {
    condition: (sql) => matchesSql(idColumn, sql.value(query, 'tsquery')),
    isCommon: true,
  };
  // The index collects all matches before it returns the first, which keeps others waiting.
  if ((await estimateMatches(database, spaceId, query)) > maxRare) return common;
  // The planner cannot estimate prefix matches and would choose a sequential scan of all messages.
  const ids = await database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const { rows } = await tx.query<{ ids: string[] }>(
      `select array(select message_id from message_search where terms @@ $2::tsquery and space_id = $1
         limit ${maxRare + 1}) as ids`,
      [spaceId, query],
    );
    return rows[0]!.ids;
  });
  if (ids.length <= maxRare) return { condition: oneOf(idColumn, ids) };
  return common;
}

/** Estimates the number of matches from pages of the table that are drawn at random; 0 if the table is small. */
async function estimateMatches(database: Database, spaceId: string, query: string): Promise<number> {
  const { rows } = await database.query<{ pages: number }>(
    `select (pg_relation_size('message_search') / current_setting('block_size')::int)::int as pages`,
  );
  const { pages } = rows[0]!;
  if (pages < 2 * sampledPages) return 0;
  const percent = (100 * sampledPages) / pages;
  const sample = await database.query<{ count: number }>(
    `select count(*)::int as count from message_search tablesample system ($3::float4)
     where space_id = $1 and terms @@ $2::tsquery`,
    [spaceId, query, percent],
  );
  return (sample.rows[0]!.count * 100) / percent;
}

/** The time of the first message that cannot be found yet although it has waited for longer than usual. */
export async function unindexedSince(
  database: Database,
  spaceId: string,
  now: number,
): Promise<string | undefined> {
  const { rows } = await database.query<{ receivedAt: string }>(
    `select m.received_at as "receivedAt"
     from (select seq, message_ids[1] as id from message_unindexed order by seq limit ${maxQueued}) q
     join message m on m.message_id = q.id where m.space_id = $1 order by q.seq limit 1`,
    [spaceId],
  );
  const receivedAt = rows[0]?.receivedAt;
  return receivedAt && now - Date.parse(receivedAt) > usualWaitMs ? receivedAt : undefined;
}

/**
 * Returns the matches that the page needs if the words are common enough to find them within few messages;
 * otherwise undefined.
 */
async function findByScanning(
  database: Database,
  query: string,
  scan: OrderedScan,
): Promise<string[] | undefined> {
  const seen = await scanMessages(database, query, scan, firstScanSize);
  if (seen.length >= scan.need) return seen;
  const more = Math.ceil((1.5 * scan.need * firstScanSize) / seen.length);
  if (more > maxScanned) return undefined;
  const all = await scanMessages(database, query, scan, more);
  return all.length >= scan.need ? all : undefined;
}

/** Returns the matches among the first `count` messages. */
async function scanMessages(
  database: Database,
  query: string,
  scan: OrderedScan,
  count: number,
): Promise<string[]> {
  const sql = new Sql();
  const direction = scan.descending ? 'desc' : 'asc';
  const { rows } = await database.query<{ ids: string[] }>(
    `select array(select w.id from (${scan.first(sql, count)}) w where ${matchesSql('w.id', sql.value(query, 'tsquery'))}
       order by w.at ${direction}, w.id ${direction} limit ${Math.max(scan.need, minReported)}) as ids`,
    sql.values,
  );
  return rows[0]!.ids;
}

const matchesSql = (id: string, query: string) =>
  `(select s.terms from message_search s where s.message_id = ${id}) @@ ${query}`;
