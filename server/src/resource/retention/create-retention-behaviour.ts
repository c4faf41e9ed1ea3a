// Retention settings of a space: one row of a table whose columns are named like the fields of the resource.
import { Problem } from '@yagura/core/http/problem';
import type { Resource } from '@yagura/core/resource/define-resource';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../behaviour.ts';
import { announce, checkMatch } from '../item-operations.ts';
import type { StoredItem } from '../item-store.ts';
import { toSnakeCase } from '../list/table.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * Shows and edits the settings. Fields of the input are days or null, which keeps everything; the others are the time of
 * the last run, totals and `updatedAt`, which the job that deletes expired data writes. Without a row, everything is null or 0.
 */
export function createRetentionBehaviour<R extends Resource>(resource: R, table: string): Behaviour<R> {
  const days = Object.keys(resource.input!.shape);
  const fields = Object.keys(resource.shape.shape);
  const isTotal = (field: string) => field.startsWith('removed');
  const selected = fields.map(
    (field) => `${toSnakeCase(field)}${isTotal(field) ? '::float8' : ''} as "${field}"`,
  );
  const unset = Object.fromEntries(fields.map((field) => [field, isTotal(field) ? 0 : null]));
  const columns = days.map(toSnakeCase);
  const load = async (db: Queryable, { spaceId }: RequestContext): Promise<StoredItem> => {
    const { rows } = await db.query<Record<string, unknown> & { version: string }>(
      `select ${selected.join(', ')}, version::text as version from ${table} where space_id = $1`,
      [spaceId],
    );
    const { version, ...item } = rows[0] ?? { version: '0', ...unset };
    return { item, version };
  };
  return {
    resource,
    show: (context) => load(context.services.database, context),
    async edit(tx, context, input, ifMatch) {
      const { services, spaceId } = context;
      const before = await load(tx, context);
      checkMatch(ifMatch, before.version);
      const values = input as Record<string, number | null>;
      const { rowCount } = await tx.query(
        `insert into ${table} (space_id, updated_at, ${columns.join(', ')})
         values ($1, $2, ${columns.map((_, index) => `$${index + 4}`).join(', ')})
         on conflict (space_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')},
           version = ${table}.version + 1, updated_at = excluded.updated_at
         where ${table}.version = $3::bigint`,
        [spaceId, isoTime(services.clock.now()), before.version, ...days.map((name) => values[name] ?? null)],
      );
      if (rowCount === 0) throw new Problem('changed');
      return {
        before: before.item,
        after: await load(tx, context),
        onCommitted: () => announce(context, resource, spaceId, 'update'),
      };
    },
  };
}
