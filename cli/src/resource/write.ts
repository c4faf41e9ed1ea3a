// `create` and `edit` of a resource.
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { copyItem } from '@yagura/core/resource/copy-item';
import { isNameless } from '@yagura/core/resource/is-nameless';
import { expandPath } from '@yagura/core/resource/path';
import type { Fields, ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { DataOptions } from '../command-line/data-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { openSession } from '../signin/session.ts';
import { cleanField, cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { applyInput, type InputValue, missingFlags, readInput } from './input/read-input.ts';
import { nounOf } from './meta/noun.ts';
import { readPathParams } from './meta/path-params.ts';
import { resolveId, resolveItem } from './meta/resolve-id.ts';
import { resourceClient } from './meta/resource-client.ts';
import type { Row } from './meta/row.ts';
import { type OutputFormat, parseOutputFormat } from './output/output-format.ts';
import { writeItem } from './output/write-output.ts';
import { detailColumns } from './show.ts';

export async function create(
  terminal: Terminal,
  meta: ResourceMeta,
  options: DataOptions & { copyOf?: string },
): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(meta.fields));
  const { transport } = openSession(terminal);
  const fields = meta.input ?? {};
  const values = await readInput(fields, { ...options }, terminal, transport);
  const pathParams = await readPathParams(meta, { ...options }, transport, terminal.signal);
  const base =
    options.copyOf === undefined
      ? defaultObjects(fields, values)
      : await readCopy(terminal, meta, options.copyOf, pathParams, transport);
  const body = applyInput(base, values);
  const missing = missingFlags(fields, body);
  if (missing.length > 0) throw new UsageError('cli.usage.missing-flag', { flag: missing.join(', ') });
  const saved = await resourceClient(meta, transport).create(body, pathParams, {
    idempotencyKey: crypto.randomUUID(),
    signal: terminal.signal,
  });
  await reportSaved(terminal, meta, saved, 'cli.done.create', format, transport);
}

async function readCopy(
  { signal, t }: Terminal,
  meta: ResourceMeta,
  from: string,
  pathParams: PathParams,
  transport: Transport,
): Promise<Row> {
  const id = await resolveId(meta, from, transport, pathParams, signal);
  const item = (await resourceClient(meta, transport).show(id, pathParams, signal)) as Row;
  return copyItem(meta.input ?? {}, item, meta.title, (name) => t('verb.copy-name', { name }));
}

/** Default values of partially given objects. */
function defaultObjects(fields: Fields, values: readonly InputValue[]): Row {
  const opened = new Set(
    values.filter(({ path }) => path.includes('.')).map(({ path }) => path.split('.')[0]!),
  );
  return Object.fromEntries(
    [...opened]
      .filter((name) => fields[name]?.default !== undefined)
      .map((name) => [name, fields[name]!.default]),
  );
}

/** Changes the given fields; fails when the item has changed since it was read. */
export async function edit(
  terminal: Terminal,
  meta: ResourceMeta,
  item: string | undefined,
  options: DataOptions,
): Promise<void> {
  const format = parseOutputFormat(options, Object.keys(meta.fields));
  const { transport } = openSession(terminal);
  const values = await readInput(meta.input ?? {}, { ...options }, terminal, transport);
  if (values.length === 0) throw new UsageError('cli.usage.nothing-to-change');
  const pathParams = await readPathParams(meta, { ...options }, transport, terminal.signal);
  const id = await resolveItem(meta, item, transport, pathParams, terminal.signal);
  const { body, etag } = await buildEditBody(meta, id, pathParams, values, transport, terminal.signal);
  const saved = await resourceClient(meta, transport).edit(id, body, pathParams, {
    ifMatch: etag,
    signal: terminal.signal,
  });
  await reportSaved(terminal, meta, saved, 'cli.done.edit', format, transport);
}

/** Builds the body of an edit. Only a patch of complete fields needs no read of the current item. */
async function buildEditBody(
  meta: ResourceMeta,
  id: string | undefined,
  pathParams: PathParams,
  values: readonly InputValue[],
  transport: Transport,
  signal: AbortSignal,
): Promise<{ body: Row; etag: string | undefined }> {
  if (meta.update !== 'put' && values.every(({ path }) => !path.includes('.'))) {
    return { body: applyInput({}, values), etag: undefined };
  }
  const { now, etag } = await fetchCurrent(meta, id, pathParams, transport, signal);
  const base: Row = {};
  for (const [name, field] of Object.entries(meta.input ?? {})) {
    const before = field.by;
    const reshaped = before && values.some(({ path, value }) => path === before && value !== now[before]);
    if (now[name] !== undefined && !reshaped) base[name] = now[name];
  }
  const body = applyInput(base, values);
  if (meta.update === 'put') return { body, etag };
  const touched = new Set(values.map(({ path }) => path.split('.')[0]!));
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => touched.has(name))), etag };
}

/** Reads the item with its version; an item that an edit would create is empty. */
async function fetchCurrent(
  meta: ResourceMeta,
  id: string | undefined,
  pathParams: PathParams,
  transport: Transport,
  signal: AbortSignal,
) {
  const path = expandPath(meta.itemPath, { ...pathParams, ...(id ? { [meta.id]: id } : {}) });
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

async function reportSaved(
  terminal: Terminal,
  meta: ResourceMeta,
  saved: Row,
  word: 'cli.done.create' | 'cli.done.edit',
  format: OutputFormat | undefined,
  transport: Transport,
): Promise<void> {
  const hasName = !isNameless(meta);
  const name = cleanLine(String(saved[meta.title] ?? ''));
  const done = terminal.t(hasName ? word : 'cli.done.edit-settings', {
    noun: nounOf(meta, terminal, 0),
    name,
  });
  printMessage(terminal, terminal.err.paint('success', done));
  if (typeof saved.deliveryWarning === 'string')
    printMessage(terminal, terminal.err.paint('warning', cleanLine(saved.deliveryWarning)));
  if (format || terminal.out.isTTY) {
    await writeItem(
      terminal,
      saved,
      { fields: meta.fields, columns: detailColumns(meta), id: meta.id },
      format,
      transport,
    );
    return;
  }
  // A secret appears only in this response; it is printed with the id so that a script can store it.
  const secrets = Object.keys(meta.fields).filter(
    (field) => meta.fields[field]!.kind === 'secret' && saved[field],
  );
  const printed = hasName ? [meta.id, ...secrets] : secrets;
  if (printed.length > 0)
    terminal.out.write(`${printed.map((field) => cleanField(String(saved[field]))).join('\t')}\n`);
}
