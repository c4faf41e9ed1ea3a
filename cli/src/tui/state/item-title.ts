// Short title of an item.
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { Row } from '../../resource/meta/row.ts';
import { cleanLine } from '../../terminal/clean.ts';
import { type AppContext, nounFor } from './app-context.ts';

/** Fields that are more descriptive than an id, for resources without a name. */
const titleFields = ['summary', 'subject', 'displayName', 'name', 'label'];
/** Characters from the end of an id: ids created in sequence start alike. */
const idSuffixLength = 8;

/** The column that tells what an item is: its name, or what stands for it. */
export function titleField({ title, id, columns }: ResourceMeta): string | undefined {
  return title === id ? titleFields.find((name) => columns.includes(name)) : title;
}

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
