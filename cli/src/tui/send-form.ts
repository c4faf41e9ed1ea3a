// What a form or a text begins with, and sending it: the mistakes that were found, or what was made.
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { fillPath } from '@yagura/core/resource/path';
import { parse } from 'yaml';
import type { Fields, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { resolveId } from '../resource/resolve.ts';
import { type Action, actWord } from './actions.ts';
import type { Mistake } from './document.ts';
import { bodyOf, formLines } from './form.ts';
import type { Outcome } from './reducer.ts';
import type { Request, Subject } from './state.ts';
import type { AppContext } from './world.ts';

/** What is to be done, and to what. */
export interface Wish {
  resource: string;
  action: Action;
  subject: Subject;
}

export async function beginForm(
  transport: Transport,
  wish: Wish,
  signal: AbortSignal,
): Promise<{ base: Row; etag: string | undefined }> {
  const { now, etag } = await current(transport, wish, signal);
  return { base: startOf(wish.action.body ?? {}, now), etag };
}

export async function submitForm(
  transport: Transport,
  { t }: AppContext,
  request: Extract<Request, { act: 'submit' }>,
  signal: AbortSignal,
): Promise<Outcome | readonly Mistake[]> {
  const { meta, base, etag, action } = request;
  const named = await withIds(transport, request, signal);
  if (Array.isArray(named)) return named;
  const { body, mistakes } = bodyOf(meta, named, parse);
  if (mistakes.length > 0) return mistakes;
  const found = await sent(transport, request, body, base, etag, signal);
  if (Array.isArray(found)) return found;
  return { text: t('tui.done', { act: actWord(t, action.name), what: found.title }), failed: false };
}

/** Names of things as their ids; where nothing has the name, that is the mistake. */
async function withIds(
  transport: Transport,
  { meta, texts }: Extract<Request, { act: 'submit' }>,
  signal: AbortSignal,
): Promise<Mistake[] | Record<string, string>> {
  const named: Record<string, string> = { ...texts };
  const mistakes: Mistake[] = [];
  for (const line of formLines(meta, texts)) {
    const { resource, resourceBy } = line.meta;
    if (line.meta.kind !== 'reference' || line.text === '' || !resource || resourceBy) continue;
    try {
      named[line.path] = await resolveId(entryNamed(resource), line.text, transport, {}, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      mistakes.push({
        path: line.path,
        reason: error instanceof Problem ? (error.detail ?? error.title) : line.text,
      });
    }
  }
  return mistakes.length > 0 ? mistakes : named;
}

/** The item as it is now, with its version. */
export async function current(
  transport: Transport,
  { action, resource, subject }: Wish,
  signal: AbortSignal,
) {
  if (action.way !== 'edit') return { now: {} as Row, etag: undefined };
  const meta = entryNamed(resource);
  const path = fillPath(meta.itemPath, {
    ...subject.params,
    ...(subject.id ? { [meta.id]: subject.id } : {}),
  });
  try {
    const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
    return { now: data, etag: headers.get('etag') ?? undefined };
  } catch (error) {
    // What an edit makes is empty before.
    if (error instanceof Problem && error.kind === 'not-found' && !meta.verbs.includes('create'))
      return { now: {} as Row, etag: undefined };
    throw error;
  }
}

/** What the text begins with: what is there, else what is usual. */
export function startOf(fields: Fields, now: Row): Row {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, fact]) => {
      const value = now[name] ?? fact.default;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Sends the body; the mistakes that the server found, or the title of what was made. */
export async function sent(
  transport: Transport,
  request: Wish,
  body: Row,
  base: Row,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Mistake[] | { title: string }> {
  const { resource, subject } = request;
  try {
    const made = await written(transport, request, body, base, etag, signal);
    const meta = entryNamed(resource);
    return { title: String(made?.[meta.title] ?? subject.title) };
  } catch (error) {
    if (!(error instanceof Problem) || error.invalidParams.length === 0) {
      if (error instanceof Problem && ['conflict', 'invalid'].includes(error.kind))
        return [{ path: '', reason: error.detail ?? error.title }];
      throw error;
    }
    return error.invalidParams.map(({ name, reason }) => ({ path: name, reason }));
  }
}

async function written(
  transport: Transport,
  { action, resource, subject }: Wish,
  body: Row,
  base: Row,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const meta = entryNamed(resource);
  const client = entryClient(meta, transport);
  if (action.way === 'create')
    return client.create(body, subject.params, { idempotencyKey: crypto.randomUUID(), signal });
  if (action.way === 'edit') {
    const options = { signal, ...(etag ? { ifMatch: etag } : {}) };
    return client.edit(
      subject.id,
      meta.update === 'put' ? body : changedOf(base, body),
      subject.params,
      options,
    );
  }
  return callOf(transport, action, subject, body, signal);
}

async function callOf(
  transport: Transport,
  action: Action,
  { id, params }: Wish['subject'],
  body: Row,
  signal: AbortSignal,
): Promise<undefined> {
  await entryClient(entryNamed(action.resource), transport).call(action.name, { id, params, body, signal });
}

/** The fields that are not as they were. */
function changedOf(base: Row, body: Row): Row {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name])),
  );
}
