// `create` and `edit`.
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { fillPath } from '@yagura/core/resource/path';
import { openSession } from '../signin/session.ts';
import { cleanField, cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { type DataForm, dataForm } from './data-form.ts';
import type { Fields, ResourceMeta, Row } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { nounOf } from './noun.ts';
import { writeItem } from './output.ts';
import { placeOf } from './place.ts';
import { type Given, missingFlags, overlay, readInput } from './read-input.ts';
import { resolveId } from './resolve.ts';
import { sheetColumns } from './show.ts';

export async function create(terminal: Terminal, meta: ResourceMeta, options: DataOptions): Promise<void> {
  const form = dataForm(options, Object.keys(meta.fields));
  const { transport } = openSession(terminal);
  const fields = meta.input ?? {};
  const given = await readInput(fields, { ...options }, terminal, transport);
  const body = overlay(usualParts(fields, given), given);
  const missing = missingFlags(fields, body);
  if (missing.length > 0) throw new Usage('cli.usage.missing-flag', { flag: missing.join(', ') });
  const pathParams = await placeOf(meta, { ...options }, transport, terminal.signal);
  const made = await entryClient(meta, transport).create(body, pathParams, {
    idempotencyKey: crypto.randomUUID(),
    signal: terminal.signal,
  });
  await tell(terminal, meta, made, 'cli.done.create', form, transport);
}

/** The usual values of objects of which only a part was given. */
function usualParts(fields: Fields, given: readonly Given[]): Row {
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
  meta: ResourceMeta,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const form = dataForm(options, Object.keys(meta.fields));
  const { transport } = openSession(terminal);
  const given = await readInput(meta.input ?? {}, { ...options }, terminal, transport);
  if (given.length === 0) throw new Usage('cli.usage.nothing-to-change');
  const pathParams = await placeOf(meta, { ...options }, transport, terminal.signal);
  const id = item && (await resolveId(meta, item, transport, pathParams, terminal.signal));
  const { body, etag } = await changed(meta, id, pathParams, given, transport, terminal.signal);
  const made = await entryClient(meta, transport).edit(id, body, pathParams, {
    ifMatch: etag,
    signal: terminal.signal,
  });
  await tell(terminal, meta, made, 'cli.done.edit', form, transport);
}

/** The body of an edit. Only a patch of whole fields needs no look at what is there. */
async function changed(
  meta: ResourceMeta,
  id: string | undefined,
  pathParams: PathParams,
  given: readonly Given[],
  transport: Transport,
  signal: AbortSignal,
): Promise<{ body: Row; etag: string | undefined }> {
  if (meta.update !== 'put' && given.every(({ path }) => !path.includes('.'))) {
    return { body: overlay({}, given), etag: undefined };
  }
  const { now, etag } = await current(meta, id, pathParams, transport, signal);
  const base: Row = {};
  for (const [name, facts] of Object.entries(meta.input ?? {})) {
    const before = facts.by;
    const reshaped = before && given.some(({ path, value }) => path === before && value !== now[before]);
    if (now[name] !== undefined && !reshaped) base[name] = now[name];
  }
  const body = overlay(base, given);
  if (meta.update === 'put') return { body, etag };
  const touched = new Set(given.map(({ path }) => path.split('.')[0]!));
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => touched.has(name))), etag };
}

/** The item as it is, with its version; an item that an edit would make counts as empty. */
async function current(
  meta: ResourceMeta,
  id: string | undefined,
  pathParams: PathParams,
  transport: Transport,
  signal: AbortSignal,
) {
  const path = fillPath(meta.itemPath, { ...pathParams, ...(id ? { [meta.id]: id } : {}) });
  try {
    const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
    return { now: data, etag: headers.get('etag') ?? undefined };
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not-found' && !meta.verbs.includes('create')) {
      return { now: {} as Row, etag: undefined };
    }
    throw error;
  }
}

async function tell(
  terminal: Terminal,
  meta: ResourceMeta,
  made: Row,
  word: string,
  form: DataForm | undefined,
  transport: Transport,
): Promise<void> {
  const name = cleanLine(String(made[meta.title] ?? ''));
  say(terminal, terminal.err.paint('success', terminal.t(word, { noun: nounOf(meta, terminal, 0), name })));
  if (form || terminal.out.live) {
    await writeItem(
      terminal,
      made,
      { fields: meta.fields, columns: sheetColumns(meta), id: meta.id },
      form,
      transport,
    );
    return;
  }
  // A secret is in this one reply only; it goes out with the id so that a script can keep it.
  const secrets = Object.keys(meta.fields).filter(
    (field) => meta.fields[field]!.kind === 'secret' && made[field],
  );
  terminal.out.write(`${[meta.id, ...secrets].map((field) => cleanField(String(made[field]))).join('\t')}\n`);
}
