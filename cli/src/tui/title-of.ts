// What an item is called where there is room for a name only.
import type { ResourceMeta, Row } from '../resource/entry.ts';
import { cleanLine } from '../term/clean.ts';
import { type AppContext, nounFor } from './world.ts';

/** Fields that tell more than an id, for resources without names. */
const telling = ['summary', 'subject', 'displayName', 'name', 'label'];
/** The end of an id: ids that were made one after the other begin alike. */
const tail = 8;

export function titleOf(
  world: Pick<AppContext, 'language'>,
  meta: ResourceMeta,
  row: Row,
  id: string | undefined,
): string {
  const field = meta.title === meta.id ? telling.find((name) => row[name]) : meta.title;
  const name = field && row[field];
  if (typeof name === 'string' && name !== '') return cleanLine(name);
  const noun = nounFor(world, meta.name, 0);
  if (id === undefined) return noun;
  return `${noun} ${id.length > 20 ? `…${id.slice(-tail)}` : cleanLine(id)}`;
}
