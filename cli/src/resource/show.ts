import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { DataOptions } from '../command-line/data-options.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readPathParams } from './meta/path-params.ts';
import { resolveItem } from './meta/resolve-id.ts';
import { resourceClient } from './meta/resource-client.ts';
import { parseOutputFormat } from './output/output-format.ts';
import { writeItem } from './output/write-output.ts';

/** `show`: prints all details of one item; `item` is undefined for a singleton resource. */
export async function show(
  terminal: Terminal,
  meta: ResourceMeta,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(meta.fields));
  const session = openSession(terminal);
  const pathParams = await readPathParams(meta, { ...options }, session.transport, terminal.signal);
  const id = await resolveItem(meta, item, session.transport, pathParams, terminal.signal);
  const found = await resourceClient(meta, session.transport).show(id, pathParams, terminal.signal);
  await writeItem(
    terminal,
    found,
    { fields: meta.fields, columns: detailColumns(meta), id: meta.id },
    format,
    session.transport,
  );
}

/** Rows of a detail sheet: name and id first, then the fields shown in the console, then the rest. */
export function detailColumns(meta: ResourceMeta): string[] {
  const rest = Object.keys(meta.fields).filter((name) => !meta.detail.includes(name));
  return [...new Set([meta.title, meta.id, ...meta.detail, ...rest])];
}
