import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';
import { dataForm } from './data-form.ts';
import type { ResourceMeta } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { writeItem } from './output.ts';
import { placeOf } from './place.ts';
import { resolveId } from './resolve.ts';

/** `show`: everything about one item; the item is undefined where there is only one. */
export async function show(
  terminal: Terminal,
  meta: ResourceMeta,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const form = dataForm(options, Object.keys(meta.fields));
  const session = openSession(terminal);
  const pathParams = await placeOf(meta, { ...options }, session.transport, terminal.signal);
  const id = item && (await resolveId(meta, item, session.transport, pathParams, terminal.signal));
  const found = await entryClient(meta, session.transport).show(id, pathParams, terminal.signal);
  await writeItem(
    terminal,
    found,
    { fields: meta.fields, columns: sheetColumns(meta), id: meta.id },
    form,
    session.transport,
  );
}

/** Lines of an info sheet: the name and the id first, then what the console shows, then the rest. */
export function sheetColumns(meta: ResourceMeta): string[] {
  const rest = Object.keys(meta.fields).filter((name) => !meta.detail.includes(name));
  return [...new Set([meta.title, meta.id, ...meta.detail, ...rest])];
}
