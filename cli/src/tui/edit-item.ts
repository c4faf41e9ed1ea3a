// Making and changing an item, or the body of a call, as YAML in an editor; what is refused comes back marked where it is wrong.
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { fillPath } from '@yagura/core/resource/path';
import type { Facts, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { labelOf } from '../resource/present.ts';
import { type Action, actWord } from './actions.ts';
import { documentOf, type Mistake, readDocument } from './document.ts';
import type { Outcome } from './reducer.ts';
import type { Request } from './state.ts';
import { nounFor, type World } from './world.ts';

/** Times that a text comes back before it is given up, so that a broken editor cannot go round for ever. */
const rounds = 50;

type Edit = Extract<Request, { act: 'edit' }>;

export async function editItem(
  transport: Transport,
  world: World,
  request: Edit,
  write: (text: string) => string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { action, subject } = request;
  const { t } = world;
  const facts = action.body ?? {};
  const { now, etag } = await current(transport, request, signal);
  const base = startOf(facts, now);
  const title = `${actWord(t, action.name)}: ${nounFor(world, action.resource, 0)} ${subject.title}`;
  const words = { title, labelOf: (field: string) => labelOf(field, t), t };
  let text = documentOf(facts, base, [], words);
  let before = text;
  for (let round = 0; round < rounds; round += 1) {
    const after = write(text);
    if (after.trim() === '' || (after === before && (round > 0 || action.way !== 'create')))
      return { text: t('tui.edit.left'), failed: false };
    const read = readDocument(after, facts, t);
    const mistakes =
      read.mistakes.length > 0
        ? read.mistakes
        : await sent(transport, request, read.body, base, etag, signal);
    if (!Array.isArray(mistakes)) {
      return {
        text: t('tui.done', { act: actWord(t, action.name), what: mistakes.title }),
        failed: false,
      };
    }
    text = documentOf(facts, read.body, mistakes, words, after);
    before = text;
  }
  return { text: t('tui.edit.left'), failed: true };
}

/** The item as it is now, with its version. */
async function current(transport: Transport, { action, resource, subject }: Edit, signal: AbortSignal) {
  if (action.way !== 'edit') return { now: {} as Row, etag: undefined };
  const entry = entryNamed(resource);
  const path = fillPath(entry.itemPath, {
    ...subject.place,
    ...(subject.id ? { [entry.id]: subject.id } : {}),
  });
  try {
    const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
    return { now: data, etag: headers.get('etag') ?? undefined };
  } catch (error) {
    // What an edit makes is empty before.
    if (error instanceof Problem && error.kind === 'not-found' && !entry.verbs.includes('create'))
      return { now: {} as Row, etag: undefined };
    throw error;
  }
}

/** What the text begins with: what is there, else what is usual. */
function startOf(facts: Facts, now: Row): Row {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => {
      const value = now[name] ?? fact.default;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Sends the body; the mistakes that the server found, or the title of what was made. */
async function sent(
  transport: Transport,
  request: Edit,
  body: Row,
  base: Row,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Mistake[] | { title: string }> {
  const { resource, subject } = request;
  try {
    const made = await written(transport, request, body, base, etag, signal);
    const entry = entryNamed(resource);
    return { title: String(made?.[entry.title] ?? subject.title) };
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
  { action, resource, subject }: Edit,
  body: Row,
  base: Row,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const entry = entryNamed(resource);
  const client = entryClient(entry, transport);
  if (action.way === 'create')
    return client.create(body, subject.place, { idempotencyKey: crypto.randomUUID(), signal });
  if (action.way === 'edit') {
    const options = { signal, ...(etag ? { ifMatch: etag } : {}) };
    return client.edit(
      subject.id,
      entry.update === 'put' ? body : changedOf(base, body),
      subject.place,
      options,
    );
  }
  return callOf(transport, action, subject, body, signal);
}

async function callOf(
  transport: Transport,
  action: Action,
  { id, place }: Edit['subject'],
  body: Row,
  signal: AbortSignal,
): Promise<undefined> {
  await entryClient(entryNamed(action.resource), transport).call(action.name, { id, place, body, signal });
}

/** The fields that are not as they were. */
function changedOf(base: Row, body: Row): Row {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name])),
  );
}
