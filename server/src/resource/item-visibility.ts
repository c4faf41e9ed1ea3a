// Applies row-level conditions to items of any resource, for code that knows the resource only by name.
import { type ItemSource, visibleIds } from './item-store.ts';
import { Sql } from './list/sql.ts';
import { bodyTable } from './list/table.ts';
import type { ItemVisibility } from './request-context.ts';

/** `sources` are the resources with row-level conditions, among any others. */
export function createItemVisibility(sources: readonly ItemSource[]): ItemVisibility {
  const known = new Map(sources.map((source) => [source.resource.name, source]));
  const isNarrowed: ItemVisibility['isNarrowed'] = (context, name) =>
    known.get(name)?.rowFilter?.(context, new Sql()) !== undefined;
  return {
    isNarrowed,
    async visibleIds(db, context, name, ids) {
      const source = known.get(name);
      if (!source || !isNarrowed(context, name)) return new Set(ids);
      const { resource, table = bodyTable(resource) } = source;
      const rowFilter = (sql: Sql) => source.rowFilter?.(context, sql);
      return new Set(await visibleIds(context, resource, table, ids, rowFilter, db));
    },
  };
}
