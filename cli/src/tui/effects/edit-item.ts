// Making and changing an item, or the body of a call, as YAML in an editor; what is refused comes back marked where it is wrong.
import type { Transport } from '@yagura/core/http/transport';
import { parse } from 'yaml';
import { labelOf } from '../../resource/output/present-value.ts';
import { formatFormDocument, parseFormDocument } from '../form/form-document.ts';
import { parseFieldTexts } from '../form/form-fields.ts';
import type { Outcome } from '../reducer.ts';
import { type AppContext, nounFor } from '../state/app-context.ts';
import { actionLabel } from '../state/resource-actions.ts';
import type { PendingEffect } from '../state/state.ts';
import { initialValues, loadCurrentItem, submitBody } from './submit-form.ts';

/** Times that a text comes back before it is given up, so that a broken editor cannot go round for ever. */
const maxAttempts = 50;

type EditRequest = Extract<PendingEffect, { act: 'edit' }>;

export async function editItem(
  transport: Transport,
  context: AppContext,
  request: EditRequest,
  write: (text: string) => string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { action, subject } = request;
  const { t } = context;
  const fields = action.bodyFields ?? {};
  const { now, etag } = await loadCurrentItem(transport, request, signal);
  const base = initialValues(fields, now);
  // What was typed into a form goes on here.
  const formValues = request.texts ? parseFieldTexts(fields, request.texts, parse).body : {};
  const title = `${actionLabel(t, action.name)}: ${nounFor(context, action.resource, 0)} ${subject.title}`;
  const labels = { title, labelOf: (field: string) => labelOf(field, t), t };
  let text = formatFormDocument(fields, { ...base, ...formValues }, [], labels);
  let before = text;
  for (let round = 0; round < maxAttempts; round += 1) {
    const after = write(text);
    if (after.trim() === '' || (after === before && (round > 0 || action.operation !== 'create')))
      return { text: t('tui.edit.left'), failed: false };
    const read = parseFormDocument(after, fields, t);
    const errors =
      read.errors.length > 0
        ? read.errors
        : await submitBody(transport, request, read.body, base, etag, signal);
    if (!Array.isArray(errors)) {
      return {
        text: t('tui.done', { act: actionLabel(t, action.name), what: errors.title }),
        failed: false,
      };
    }
    text = formatFormDocument(fields, read.body, errors, labels, after);
    before = text;
  }
  return { text: t('tui.edit.left'), failed: true };
}
