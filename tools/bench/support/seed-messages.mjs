// Lays stored, decided and findable messages straight into the tables of a server that is stopped, a month of them.
import { tsImport } from 'tsx/esm/api';

const { openDatabase } = await tsImport('../../../server/src/db/open-database.ts', import.meta.url);
const { migrations } = await tsImport('../../../server/src/db/migrations/all.ts', import.meta.url);

const tables = ['message', 'decision', 'message_search'];
const perStatement = 20_000;

/** In twenty messages, whatever their number. */
export const rareWord = 'quenchless';
/** In every third message, as `The file system /var of … is 97 % full` in its summary. */
export const commonWord = 'critical';

/** `place` is what `openDatabase` takes: a folder or the URL of a database. */
export async function layMessages(place, { count, spaceId, slotIds }) {
  const database = await openDatabase({
    ...place,
    migrations,
    statementTimeout: 600_000,
    transactionTimeout: 600_000,
  });
  try {
    // Indexes that are made at the end take less time than those that grow.
    const { rows: indexes } = await database.query(
      `select indexname as name, indexdef as text from pg_indexes where tablename = any($1)
         and indexname not in (select conname from pg_constraint)`,
      [tables],
    );
    for (const { name } of indexes) await database.query(`drop index ${name}`);
    const until = Date.now();
    for (let from = 0; from < count; from += perStatement) {
      const to = Math.min(from + perStatement, count);
      await database.query(lay, [spaceId, slotIds, from, to, count, new Date(until).toISOString()]);
      if ((from / perStatement) % 5 === 4) await database.query('checkpoint');
    }
    for (const { text } of indexes) {
      await database.transaction(async (tx) => {
        await tx.query("set local maintenance_work_mem = '256MB'");
        await tx.query(text);
      });
      await database.query('checkpoint');
    }
    for (const table of tables) await database.query(`vacuum (analyze) ${table}`);
    await database.query('checkpoint');
  } finally {
    await database.close();
  }
}

const lay = `
  with given as (
    select n, $6::timestamptz - (($5::int - n) * (interval '30 days' / $5::int)) as at, n % 3 = 0 as critical,
      (n + 7) % greatest($5::int / 20, 1) = 0 as rare, ($2::uuid[])[1 + n % cardinality($2::uuid[])] as slot,
      md5(n::text) as hash, 'host' || n % 5000 as host
    from generate_series($3::int, $4::int - 1) n
  ), made as (
    select g.*, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8' ||
        substr(hash, 4, 15))::uuid as id,
      case when critical then 'The file system /var of ' || host || ' is 97 % full'
        else 'The load of ' || host || ' is back to what it was at ' || n end || case when rare then ' ${rareWord}' else '' end
        as summary
    from given g
  ), stored as (
    insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
      body, size, summary, fingerprint)
    select id, $1, slot, 'webhook', 'primary', at, 'https://alerts.example.com/receive/webhook/' || hash,
      '{"host": "alerts.example.com", "user-agent": "Alertmanager/0.25.0", "content-type": "application/json", "content-length": "412"}',
      b.body, length(b.body), summary, decode(hash, 'hex')
    from made cross join lateral (select convert_to(json_build_object('title', summary,
      'level', case when critical then '${commonWord}' else 'notice' end,
      'labels', json_build_object('instance', host, 'job', 'node', 'datacenter', 'tokyo-1', 'number', n),
      'annotations', json_build_object('description',
        'Less than 3 % of the file system has been free for more than five minutes.'),
      'generatorURL', 'http://prometheus.example/graph?g0.expr=node_filesystem_avail_bytes')::text, 'UTF8') as body) b
  ), decided as (
    insert into decision (message_id, space_id, evaluated_at, matched, total, rules, notes)
    select id, $1, at + interval '20 milliseconds', 1, 1, '[]', '[]' from made
  )
  insert into message_search (message_id, space_id, terms)
  select id, $1, array_to_tsvector(array['title', 'level', 'labels', 'instance', 'job', 'node', 'datacenter', 'tokyo', '1',
    'number', 'annotations', 'description', 'less', 'than', '3', 'of', 'the', 'file', 'system', 'has', 'been', 'free', 'for',
    'more', 'five', 'minutes', 'generatorurl', 'http', 'prometheus', 'example', 'graph', 'g0', 'expr',
    'node_filesystem_avail_bytes', 'is', host, n::text] ||
    case when critical then array['${commonWord}', 'var', '97', 'full']
      else array['notice', 'load', 'back', 'to', 'what', 'it', 'was', 'at'] end ||
    case when rare then array['${rareWord}'] else array[]::text[] end) from made`;
