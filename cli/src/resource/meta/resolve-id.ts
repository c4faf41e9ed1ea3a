// Resolves user input to an id: ids are used as they are, names are looked up.
import type { Transport } from '@yagura/core/http/transport';
import { printFilter } from '@yagura/core/query/filter';
import type { PathParams } from '@yagura/core/resource/client';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { UnknownItemError } from '../../command-line/report-error.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { resourceClient } from './resource-client.ts';
import { similarNames } from './similar-names.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is used as it is. */
export const isId = (text: string) => uuid.test(text);

/** Whether items can be given by name: only a list can be searched for it. */
export function isNamed({ title, id, filterable, verbs }: ResourceMeta): boolean {
  return title !== id && filterable.includes(title) && verbs.includes('list');
}

/** Returns the id of the item. Throws when none or several items have the name. */
export async function resolveId(
  meta: ResourceMeta,
  text: string,
  transport: Transport,
  pathParams: PathParams = {},
  signal?: AbortSignal,
): Promise<string> {
  // An empty variable of a script would otherwise name the list of the items instead of one.
  if (text.trim() === '') throw new UnknownItemError(meta.name, text);
  if (!isNamed(meta) || isId(text)) return text;
  const query = { filter: printFilter({ op: 'eq', field: meta.title, value: text }), limit: 3 };
  const { items } = await resourceClient(meta, transport).list(query, pathParams, signal);
  if (items.length === 1) return String(items[0]![meta.id]);
  if (items.length === 0)
    throw new UnknownItemError(
      meta.name,
      text,
      await similarNames(meta, text, transport, pathParams, signal),
    );
  throw new UsageError('cli.usage.ambiguous', {
    name: text,
    ids: items.map((item) => String(item[meta.id])).join(', '),
  });
}

/** Like `resolveId`; undefined for the item of a singleton, which no argument names. */
export async function resolveItem(
  meta: ResourceMeta,
  item: string | undefined,
  transport: Transport,
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<string | undefined> {
  return item === undefined ? undefined : resolveId(meta, item, transport, pathParams, signal);
}
