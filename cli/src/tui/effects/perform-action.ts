// Runs an action on one or more items, ten at a time, and collects the result of each.

import { formatDuration } from '@yagura/core/format/duration';
import { settleInChunks } from '@yagura/core/http/chunks';
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { send } from '@yagura/core/http/transport';
import type { Translate } from '@yagura/core/i18n/translator';
import { expandPath } from '@yagura/core/resource/path';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { startScan } from '@yagura/core/tasks/task-calls';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { Outcome } from '../reducer.ts';
import { actionLabel, childPathParams } from '../state/resource-actions.ts';
import type { ActionSubject, PerformRequest } from '../state/state.ts';

interface ActionTexts {
  t: Translate;
  formatError(error: unknown): string;
}

/** After `signal` is aborted no further items are started; those that were started are completed. */
export async function performAction(
  transport: Transport,
  { t, formatError }: ActionTexts,
  request: PerformRequest,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const { action, subjects } = request;
  const act = actionLabel(t, action.name);
  const outcomes = await settleInChunks(subjects, (subject) => performOne(transport, request, subject, t), {
    stop: signal,
    onProgress: (done, total) => onProgress(t('tui.progress', { act, done, total })),
  });
  const lines = outcomes.map((outcome, index) => {
    const { title } = subjects[index]!;
    return outcome.status === 'fulfilled'
      ? { text: outcome.value ?? title, style: 'success' as const, isComplete: outcome.value !== undefined }
      : { text: `${title}: ${formatError(outcome.reason)}`, style: 'danger' as const, isComplete: false };
  });
  const failed = lines.filter(({ style }) => style === 'danger');
  const [only] = lines;
  if (lines.length === 1) {
    const what = only!.text;
    if (only!.isComplete) return { text: what, failed: false };
    return failed.length === 0
      ? { text: t('tui.done', { act, what }), failed: false }
      : { text: t('tui.failed', { act, what }), failed: true };
  }
  const left = subjects.length - outcomes.length;
  const word = left > 0 ? 'tui.canceled.many' : failed.length === 0 ? 'tui.done.many' : 'tui.failed.many';
  const text = t(word, { act, count: lines.length - failed.length, failed: failed.length, left });
  // What was not started stays selected.
  if (left > 0 && failed.length === 0) return { text, failed: true };
  return { text, failed: failed.length > 0, lines: lines.sort((a, b) => a.style.localeCompare(b.style)) };
}

/** Returns what the action tells, if it is more than that it was done. */
async function performOne(
  transport: Transport,
  { action, resource, note }: PerformRequest,
  { id, params, title, row }: ActionSubject,
  t: Translate,
): Promise<string | undefined> {
  const meta = resourceNamed(resource);
  const client = resourceClient(meta, transport);
  switch (action.operation) {
    case 'remove':
      await client.remove(id!, params);
      return;
    case 'enable':
    case 'disable':
      await setDisabled(transport, meta, { id, params }, action.operation === 'disable');
      return;
    case 'scan':
      await startScan(transport, id!);
      return;
    case 'abort-scan': {
      const { task } = await client.show(id, params);
      const { taskId } = (task ?? {}) as { taskId?: string };
      if (!taskId) throw new Problem('not-possible');
      await resourceClient(resourceNamed('task'), transport).call('abort', { id: taskId });
      return;
    }
    case 'call': {
      const other = resourceNamed(action.resource);
      const { on, body: bodyFields } = other.calls[action.name]!;
      const body = {
        ...(action.idField ? { [action.idField]: id } : {}),
        // The status that the user saw; the server refuses to acknowledge a worse one.
        ...(bodyFields?.raisedAt && row?.raisedAt ? { raisedAt: row.raisedAt } : {}),
        ...(note ? { note } : {}),
      };
      const pathParams = on === 'collection' ? childPathParams(meta, params, id) : params;
      const reply = await resourceClient(other, transport).call<Row>(action.name, {
        ...{ id, params: pathParams, body },
      });
      return other.name === 'network' && action.name === 'estimate'
        ? estimateText(t, title, reply)
        : undefined;
    }
    default:
      throw new Error(`${action.name} wants an editor`);
  }
}

function estimateText(t: Translate, what: string, { addresses, packets, seconds }: Row): string {
  return t('tui.estimate', { what, addresses, packets, duration: formatDuration(Number(seconds), t) });
}

/** Patches the single field where possible, otherwise replaces the item unless it has changed meanwhile. */
async function setDisabled(
  transport: Transport,
  meta: ResourceMeta,
  { id, params }: Pick<ActionSubject, 'id' | 'params'>,
  disabled: boolean,
): Promise<void> {
  const client = resourceClient(meta, transport);
  if (meta.update !== 'put') {
    await client.edit(id, { disabled }, params);
    return;
  }
  const path = expandPath(meta.itemPath, { ...params, [meta.id]: id });
  const { data, headers } = await send<Row>(transport, { method: 'GET', path });
  const body = Object.fromEntries(
    Object.keys(meta.input ?? {})
      .filter((name) => data[name] !== undefined)
      .map((name) => [name, data[name]]),
  );
  const ifMatch = headers.get('etag') ?? undefined;
  await client.edit(id, { ...body, disabled }, params, ifMatch ? { ifMatch } : {});
}
