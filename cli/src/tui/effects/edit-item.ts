// Creates or edits an item, or a call's body, as YAML in an editor; a rejected text reopens with its errors.
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

/** Maximum number of times a text reopens, so that a broken editor does not loop forever. */
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
  // Values already typed into a form are kept.
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
