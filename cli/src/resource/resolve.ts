// From what a person types to an id: ids are taken as they are, names are looked up.
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { printFilter } from '@yagura/core/query/filter';
import type { Place } from '@yagura/core/resource/client';
import { Usage } from '../term/usage.ts';
import type { Entry } from './entry.ts';
import { entryClient } from './entry-client.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the item that is meant. Throws when no item or more than one has the name. */
export async function resolveId(
  entry: Entry,
  text: string,
  transport: Transport,
  place: Place = {},
  signal?: AbortSignal,
): Promise<string> {
  const named = entry.title !== entry.id && entry.filterable.includes(entry.title);
  if (!named || uuid.test(text)) return text;
  const query = { filter: printFilter({ op: 'eq', field: entry.title, value: text }), limit: 3 };
  const { items } = await entryClient(entry, transport).list(query, place, signal);
  if (items.length === 1) return String(items[0]![entry.id]);
  if (items.length === 0) throw new Problem('not-found', { detail: `${entry.name} "${text}"` });
  throw new Usage('cli.usage.ambiguous', {
    name: text,
    ids: items.map((item) => String(item[entry.id])).join(', '),
  });
}
