import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';
import { dataForm } from './data-form.ts';
import type { Entry } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { writeItem } from './output.ts';
import { placeOf } from './place.ts';
import { resolveId } from './resolve.ts';

/** `show`: everything about one item; the item is undefined where there is only one. */
export async function show(
  terminal: Terminal,
  entry: Entry,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const form = dataForm(options, Object.keys(entry.fields));
  const session = openSession(terminal);
  const place = await placeOf(entry, { ...options }, session.transport, terminal.signal);
  const id = item && (await resolveId(entry, item, session.transport, place, terminal.signal));
  const found = await entryClient(entry, session.transport).show(id, place, terminal.signal);
  await writeItem(
    terminal,
    found,
    { fields: entry.fields, columns: sheetColumns(entry), id: entry.id },
    form,
    session.transport,
  );
}

/** Lines of an info sheet: the name and the id first, then what the console shows, then the rest. */
export function sheetColumns(entry: Entry): string[] {
  const rest = Object.keys(entry.fields).filter((name) => !entry.detail.includes(name));
  return [...new Set([entry.title, entry.id, ...entry.detail, ...rest])];
}
