// Runs an action on one or more items, ten at a time, and collects the result of each.

import { problemText } from '@yagura/core/format/problem-text';
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import { send } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { startScan } from '@yagura/core/tasks/task-calls';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { Outcome } from '../reducer.ts';
import type { AppContext } from '../state/app-context.ts';
import { actionLabel, childPathParams, type ResourceAction } from '../state/resource-actions.ts';
import type { ActionSubject, PendingEffect } from '../state/state.ts';

export async function performAction(
  transport: Transport,
  { t }: AppContext,
  { action, resource, subjects }: Extract<PendingEffect, { act: 'perform' }>,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const meta = resourceNamed(resource);
  const act = actionLabel(t, action.name);
  const outcomes = await settleInChunks(
    subjects,
    (subject) => performOne(transport, meta, action, subject, signal),
    { signal, onProgress: (done, total) => onProgress(t('tui.progress', { act, done, total })) },
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

async function performOne(
  transport: Transport,
  meta: ResourceMeta,
  action: ResourceAction,
  { id, params }: ActionSubject,
  signal: AbortSignal,
): Promise<void> {
  const client = resourceClient(meta, transport);
  switch (action.operation) {
    case 'remove':
      return client.remove(id!, params, { signal });
    case 'enable':
    case 'disable':
      return setDisabled(transport, meta, { id, params }, action.operation === 'disable', signal);
    case 'scan':
      await startScan(transport, id!);
      return;
    case 'call': {
      const other = resourceNamed(action.resource);
      const { on } = other.calls[action.name]!;
      const body = action.idField ? { [action.idField]: id } : {};
      const pathParams = on === 'collection' ? childPathParams(meta, params, id) : params;
      await resourceClient(other, transport).call(action.name, { id, params: pathParams, body, signal });
      return;
    }
    default:
      throw new Error(`${action.name} wants an editor`);
  }
}

/** Patches the single field where possible, otherwise replaces the item unless it has changed meanwhile. */
async function setDisabled(
  transport: Transport,
  meta: ResourceMeta,
  { id, params }: Pick<ActionSubject, 'id' | 'params'>,
  disabled: boolean,
  signal: AbortSignal,
): Promise<void> {
  const client = resourceClient(meta, transport);
  if (meta.update !== 'put') {
    await client.edit(id, { disabled }, params, { signal });
    return;
  }
  const path = expandPath(meta.itemPath, { ...params, [meta.id]: id });
  const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
  const body = Object.fromEntries(
    Object.keys(meta.input ?? {})
      .filter((name) => data[name] !== undefined)
      .map((name) => [name, data[name]]),
  );
  const ifMatch = headers.get('etag') ?? undefined;
  await client.edit(id, { ...body, disabled }, params, { ...(ifMatch ? { ifMatch } : {}), signal });
}
