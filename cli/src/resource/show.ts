import type { DataOptions } from '../command-line/data-options.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readPathParams } from './meta/path-params.ts';
import { resolveId } from './meta/resolve-id.ts';
import { resourceClient } from './meta/resource-client.ts';
import type { ResourceMeta } from './meta/resource-meta.ts';
import { parseOutputFormat } from './output/output-format.ts';
import { writeItem } from './output/write-output.ts';

/** `show`: everything about one item; the item is undefined where there is only one. */
export async function show(
  terminal: Terminal,
  meta: ResourceMeta,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(meta.fields));
  const session = openSession(terminal);
  const pathParams = await readPathParams(meta, { ...options }, session.transport, terminal.signal);
  const id = item && (await resolveId(meta, item, session.transport, pathParams, terminal.signal));
  const found = await resourceClient(meta, session.transport).show(id, pathParams, terminal.signal);
  await writeItem(
    terminal,
    found,
    { fields: meta.fields, columns: detailColumns(meta), id: meta.id },
    format,
    session.transport,
  );
}

/** Lines of an info sheet: the name and the id first, then what the console shows, then the rest. */
export function detailColumns(meta: ResourceMeta): string[] {
  const rest = Object.keys(meta.fields).filter((name) => !meta.detail.includes(name));
  return [...new Set([meta.title, meta.id, ...meta.detail, ...rest])];
}
