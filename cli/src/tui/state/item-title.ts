// What an item is called where there is room for a name only.
import type { ResourceMeta, Row } from '../../resource/meta/resource-meta.ts';
import { cleanLine } from '../../terminal/clean.ts';
import { type AppContext, nounFor } from './app-context.ts';

/** Fields that tell more than an id, for resources without names. */
const titleFields = ['summary', 'subject', 'displayName', 'name', 'label'];
/** The end of an id: ids that were made one after the other begin alike. */
const idSuffixLength = 8;

export function itemTitle(
  context: Pick<AppContext, 'language'>,
  meta: ResourceMeta,
  row: Row,
  id: string | undefined,
): string {
  const field = meta.title === meta.id ? titleFields.find((name) => row[name]) : meta.title;
  const name = field && row[field];
  if (typeof name === 'string' && name !== '') return cleanLine(name);
  const noun = nounFor(context, meta.name, 0);
  if (id === undefined) return noun;
  return `${noun} ${id.length > 20 ? `…${id.slice(-idSuffixLength)}` : cleanLine(id)}`;
}
