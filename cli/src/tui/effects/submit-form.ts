// Loads the initial values of a form or text editor, then submits the input; returns the errors or the result.
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { invokeChain } from '@yagura/core/tasks/task-calls';
import { parse } from 'yaml';
import { resolveId } from '../../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { FieldError } from '../form/form-document.ts';
import { formFields, parseFieldTexts } from '../form/form-fields.ts';
import type { Outcome } from '../reducer.ts';
import type { AppContext } from '../state/app-context.ts';
import { actionLabel, type ResourceAction } from '../state/resource-actions.ts';
import type { ActionSubject, PendingEffect } from '../state/state.ts';

/** An action and its subject. */
export interface FormRequest {
  resource: string;
  action: ResourceAction;
  subject: ActionSubject;
}

export async function loadForm(
  transport: Transport,
  request: FormRequest,
  signal: AbortSignal,
): Promise<{ base: Row; etag: string | undefined }> {
  const { now, etag } = await loadCurrentItem(transport, request, signal);
  return { base: initialValues(request.action.bodyFields ?? {}, now), etag };
}

export async function submitForm(
  transport: Transport,
  { t }: AppContext,
  request: Extract<PendingEffect, { act: 'submit' }>,
  signal: AbortSignal,
): Promise<Outcome | readonly FieldError[]> {
  const { meta, base, etag, action } = request;
  const named = await resolveReferences(transport, request, signal);
  if (Array.isArray(named)) return named;
  const { body, errors } = parseFieldTexts(meta, named, parse);
  if (errors.length > 0) return errors;
  const found = await submitBody(transport, request, body, base, etag, signal);
  if (Array.isArray(found)) return found;
  return { text: t('tui.done', { act: actionLabel(t, action.name), what: found.title }), failed: false };
}

/** Replaces names with ids; an unknown name is an error of its field. */
async function resolveReferences(
  transport: Transport,
  { meta, texts }: Extract<PendingEffect, { act: 'submit' }>,
  signal: AbortSignal,
): Promise<FieldError[] | Record<string, string>> {
  const named: Record<string, string> = { ...texts };
  const errors: FieldError[] = [];
  for (const line of formFields(meta, texts)) {
    const { resource, resourceBy } = line.meta;
    if (line.meta.kind !== 'reference' || line.text === '' || !resource || resourceBy) continue;
    try {
      named[line.path] = await resolveId(resourceNamed(resource), line.text, transport, named, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      errors.push({
        path: line.path,
        reason: error instanceof Problem ? (error.detail ?? error.title) : line.text,
      });
    }
  }
  return errors.length > 0 ? errors : named;
}

/** The current item with its version. */
export async function loadCurrentItem(
  transport: Transport,
  { action, resource, subject }: FormRequest,
  signal: AbortSignal,
) {
  if (action.operation !== 'edit') return { now: {} as Row, etag: undefined };
  const meta = resourceNamed(resource);
  const path = expandPath(meta.itemPath, {
    ...subject.params,
    ...(subject.id ? { [meta.id]: subject.id } : {}),
  });
  try {
    const { data, headers } = await send<Row>(transport, { method: 'GET', path, signal });
    return { now: data, etag: headers.get('etag') ?? undefined };
  } catch (error) {
    // An item created by its first edit is empty.
    if (error instanceof Problem && error.kind === 'not-found' && !meta.verbs.includes('create'))
      return { now: {} as Row, etag: undefined };
    throw error;
  }
}

/** Initial values: the current ones, or else the defaults. */
export function initialValues(fields: Fields, now: Row): Row {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = now[name] ?? field.default;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Sends the body; returns the errors found by the server, or the title of the result. */
export async function submitBody(
  transport: Transport,
  request: FormRequest,
  body: Row,
  base: Row,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<FieldError[] | { title: string }> {
  const { resource, subject } = request;
  try {
    const saved = await writeItem(transport, request, body, base, etag, signal);
    const meta = resourceNamed(resource);
    return { title: String(saved?.[meta.title] ?? subject.title) };
  } catch (error) {
    if (!(error instanceof Problem) || error.invalidParams.length === 0) {
      if (error instanceof Problem && ['conflict', 'invalid'].includes(error.kind))
        return [{ path: '', reason: error.detail ?? error.title }];
      throw error;
    }
    return error.invalidParams.map(({ name, reason }) => ({
      path: request.action.operation === 'start-call' ? name.replace(/^params\./, '') : name,
      reason,
    }));
  }
}

async function writeItem(
  transport: Transport,
  { action, resource, subject }: FormRequest,
  body: Row,
  base: Row,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const meta = resourceNamed(resource);
  const client = resourceClient(meta, transport);
  if (action.operation === 'create')
    return client.create(body, subject.params, { idempotencyKey: crypto.randomUUID(), signal });
  if (action.operation === 'edit') {
    const options = { signal, ...(etag ? { ifMatch: etag } : {}) };
    return client.edit(
      subject.id,
      meta.update === 'put' ? body : changedFields(base, body),
      subject.params,
      options,
    );
  }
  if (action.operation === 'start-call') {
    await invokeChain(transport, { params: { ...body, callflowId: subject.id } }, signal);
    return undefined;
  }
  return invokeCall(transport, action, subject, body, signal);
}

async function invokeCall(
  transport: Transport,
  action: ResourceAction,
  { id, params }: FormRequest['subject'],
  body: Row,
  signal: AbortSignal,
): Promise<undefined> {
  await resourceClient(resourceNamed(action.resource), transport).call(action.name, {
    id,
    params,
    body,
    signal,
  });
}

/** The fields that have changed. */
function changedFields(base: Row, body: Row): Row {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name])),
  );
}
