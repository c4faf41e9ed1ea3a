// Doing what was asked, to one item or to many, ten at a time, with what became of each.

import { problemText } from '@yagura/core/format/problem-text';
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import { send } from '@yagura/core/http/transport';
import { fillPath } from '@yagura/core/resource/path';
import { startScan } from '@yagura/core/work/task';
import type { ResourceMeta, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { type Action, actWord, placeBelow } from './actions.ts';
import type { Outcome } from './reducer.ts';
import type { Request, Subject } from './state.ts';
import type { AppContext } from './world.ts';

export async function perform(
  transport: Transport,
  { t }: AppContext,
  { action, resource, subjects }: Extract<Request, { act: 'perform' }>,
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const meta = entryNamed(resource);
  const act = actWord(t, action.name);
  const outcomes = await settleInChunks(
    subjects,
    (subject) => once(transport, meta, action, subject, signal),
    { signal, onProgress: (done, total) => tell(t('tui.progress', { act, done, total })) },
  );
  const lines = outcomes.map((outcome, index) => {
    const { title } = subjects[index]!;
    return outcome.status === 'fulfilled'
      ? { text: title, style: 'success' as const }
      : { text: `${title}: ${problemText(outcome.reason)}`, style: 'danger' as const };
  });
  const failed = lines.filter(({ style }) => style === 'danger');
  const [only] = lines;
  if (lines.length === 1) {
    const what = only!.text;
    return failed.length === 0
      ? { text: t('tui.done', { act, what }), failed: false }
      : { text: t('tui.failed', { act, what }), failed: true };
  }
  const word = failed.length === 0 ? 'tui.done.many' : 'tui.failed.many';
  const text = t(word, { act, count: lines.length - failed.length, failed: failed.length });
  return { text, failed: failed.length > 0, lines: lines.sort((a, b) => a.style.localeCompare(b.style)) };
}

async function once(
  transport: Transport,
  meta: ResourceMeta,
  action: Action,
  { id, params }: Subject,
  signal: AbortSignal,
): Promise<void> {
  const client = entryClient(meta, transport);
  switch (action.way) {
    case 'remove':
      return client.remove(id!, params, { signal });
    case 'enable':
    case 'disable':
      return switched(transport, meta, { id, params }, action.way === 'disable', signal);
    case 'scan':
      await startScan(transport, id!);
      return;
    case 'call': {
      const other = entryNamed(action.resource);
      const { on } = other.calls[action.name]!;
      const body = action.idField ? { [action.idField]: id } : {};
      const where = on === 'collection' ? placeBelow(meta, params, id) : params;
      await entryClient(other, transport).call(action.name, { id, params: where, body, signal });
      return;
    }
    default:
      throw new Error(`${action.name} wants an editor`);
  }
}

/** Sends the one field where that is enough; else the whole thing, unless it has changed meanwhile. */
async function switched(
  transport: Transport,
  meta: ResourceMeta,
  { id, params }: Pick<Subject, 'id' | 'params'>,
  disabled: boolean,
  signal: AbortSignal,
): Promise<void> {
  const client = entryClient(meta, transport);
  if (meta.update !== 'put') {
    await client.edit(id, { disabled }, params, { signal });
    return;
  }
  const path = fillPath(meta.itemPath, { ...params, [meta.id]: id });
  const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
  const body = Object.fromEntries(
    Object.keys(meta.input ?? {})
      .filter((name) => data[name] !== undefined)
      .map((name) => [name, data[name]]),
  );
  const ifMatch = headers.get('etag') ?? undefined;
  await client.edit(id, { ...body, disabled }, params, { ...(ifMatch ? { ifMatch } : {}), signal });
}
