// `create` and `edit`.
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import type { Place } from '@yagura/core/resource/client';
import { fillPath } from '@yagura/core/resource/path';
import { openSession } from '../signin/session.ts';
import { cleanField, cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { type DataForm, dataForm } from './data-form.ts';
import type { Entry, Facts, Row } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { nounOf } from './noun.ts';
import { writeItem } from './output.ts';
import { placeOf } from './place.ts';
import { type Given, missingFlags, overlay, readInput } from './read-input.ts';
import { resolveId } from './resolve.ts';
import { sheetColumns } from './show.ts';

export async function create(terminal: Terminal, entry: Entry, options: DataOptions): Promise<void> {
  const form = dataForm(options, Object.keys(entry.fields));
  const { transport } = openSession(terminal);
  const fields = entry.input ?? {};
  const given = await readInput(fields, { ...options }, terminal, transport);
  const body = overlay(usualParts(fields, given), given);
  const missing = missingFlags(fields, body);
  if (missing.length > 0) throw new Usage('cli.usage.missing-flag', { flag: missing.join(', ') });
  const place = await placeOf(entry, { ...options }, transport, terminal.signal);
  const made = await entryClient(entry, transport).create(body, place, {
    idempotencyKey: crypto.randomUUID(),
    signal: terminal.signal,
  });
  await tell(terminal, entry, made, 'cli.done.create', form, transport);
}

/** The usual values of objects of which only a part was given. */
function usualParts(fields: Facts, given: readonly Given[]): Row {
  const opened = new Set(
    given.filter(({ path }) => path.includes('.')).map(({ path }) => path.split('.')[0]!),
  );
  return Object.fromEntries(
    [...opened]
      .filter((name) => fields[name]?.default !== undefined)
      .map((name) => [name, fields[name]!.default]),
  );
}

/** Changes the fields that are given; what was read before must not have changed in the meantime. */
export async function edit(
  terminal: Terminal,
  entry: Entry,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const form = dataForm(options, Object.keys(entry.fields));
  const { transport } = openSession(terminal);
  const given = await readInput(entry.input ?? {}, { ...options }, terminal, transport);
  if (given.length === 0) throw new Usage('cli.usage.nothing-to-change');
  const place = await placeOf(entry, { ...options }, transport, terminal.signal);
  const id = item && (await resolveId(entry, item, transport, place, terminal.signal));
  const { body, etag } = await changed(entry, id, place, given, transport, terminal.signal);
  const made = await entryClient(entry, transport).edit(id, body, place, {
    ifMatch: etag,
    signal: terminal.signal,
  });
  await tell(terminal, entry, made, 'cli.done.edit', form, transport);
}

/** The body of an edit. Only a patch of whole fields needs no look at what is there. */
async function changed(
  entry: Entry,
  id: string | undefined,
  place: Place,
  given: readonly Given[],
  transport: Transport,
  signal: AbortSignal,
): Promise<{ body: Row; etag: string | undefined }> {
  if (entry.update !== 'put' && given.every(({ path }) => !path.includes('.'))) {
    return { body: overlay({}, given), etag: undefined };
  }
  const { now, etag } = await current(entry, id, place, transport, signal);
  const base: Row = {};
  for (const [name, facts] of Object.entries(entry.input ?? {})) {
    const before = facts.by;
    const reshaped = before && given.some(({ path, value }) => path === before && value !== now[before]);
    if (now[name] !== undefined && !reshaped) base[name] = now[name];
  }
  const body = overlay(base, given);
  if (entry.update === 'put') return { body, etag };
  const touched = new Set(given.map(({ path }) => path.split('.')[0]!));
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => touched.has(name))), etag };
}

/** The item as it is, with its version; an item that an edit would make counts as empty. */
async function current(
  entry: Entry,
  id: string | undefined,
  place: Place,
  transport: Transport,
  signal: AbortSignal,
) {
  const path = fillPath(entry.itemPath, { ...place, ...(id ? { [entry.id]: id } : {}) });
  try {
    const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
    return { now: data, etag: headers.get('etag') ?? undefined };
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not-found' && !entry.verbs.includes('create')) {
      return { now: {} as Row, etag: undefined };
    }
    throw error;
  }
}

async function tell(
  terminal: Terminal,
  entry: Entry,
  made: Row,
  word: string,
  form: DataForm | undefined,
  transport: Transport,
): Promise<void> {
  const name = cleanLine(String(made[entry.title] ?? ''));
  say(terminal, terminal.err.paint('success', terminal.t(word, { noun: nounOf(entry, terminal, 0), name })));
  if (form || terminal.out.live) {
    await writeItem(
      terminal,
      made,
      { fields: entry.fields, columns: sheetColumns(entry), id: entry.id },
      form,
      transport,
    );
    return;
  }
  // A secret is in this one reply only; it goes out with the id so that a script can keep it.
  const secrets = Object.keys(entry.fields).filter(
    (field) => entry.fields[field]!.kind === 'secret' && made[field],
  );
  terminal.out.write(
    `${[entry.id, ...secrets].map((field) => cleanField(String(made[field]))).join('\t')}\n`,
  );
}
