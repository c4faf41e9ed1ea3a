// Names for the ids of other things that a list mentions: one call per kind of thing.
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { printFilter } from '@yagura/core/query/filter';
import type { Entry, Facts, Row } from './entry.ts';
import { entryClient, entryNamed } from './entry-client.ts';

/** At most so many names are asked for at once; the rest stay ids. */
const most = 50;

/** Looks up the names of referenced items. What may not be read, or is gone, has none. */
export async function referenceNames(
  rows: readonly Row[],
  fields: Facts,
  shown: readonly string[],
  transport: Transport,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = new Map<string, Set<string>>();
  for (const field of shown) {
    const resource = fields[field]?.kind === 'reference' ? fields[field].resource : undefined;
    if (!resource) continue;
    const ids = wanted.get(resource) ?? new Set();
    for (const row of rows) if (typeof row[field] === 'string') ids.add(row[field]);
    wanted.set(resource, ids);
  }
  const found = await Promise.all(
    [...wanted].map(([resource, ids]) =>
      namesOf(entryNamed(resource), [...ids].slice(0, most), transport, signal),
    ),
  );
  return new Map(found.flat());
}

async function namesOf(
  entry: Entry,
  ids: readonly string[],
  transport: Transport,
  signal?: AbortSignal,
): Promise<[string, string][]> {
  const named = entry.title !== entry.id && entry.parent === undefined && entry.filterable.includes(entry.id);
  if (!named || ids.length === 0) return [];
  const terms = ids.map((value) => ({ op: 'eq' as const, field: entry.id, value }));
  const filter = printFilter(terms.length === 1 ? terms[0]! : { op: 'or', items: terms });
  try {
    const { items } = await entryClient(entry, transport).list({ filter, limit: most }, {}, signal);
    return items.map((item) => [String(item[entry.id]), String(item[entry.title])]);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
