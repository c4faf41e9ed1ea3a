// Limits the runbook forms to name and remarks; the graph has its own editor.
import type { ScreenMeta } from '../../../resource/screen-meta.ts';

const formFields = new Set(['displayName', 'remarks']);

/** Returns the metadata without the fields of the graph. */
export function withoutGraph(meta: ScreenMeta): ScreenMeta {
  return {
    ...meta,
    form: Object.fromEntries(Object.entries(meta.form).filter(([name]) => formFields.has(name))),
  };
}

/** Returns the values that these forms submit. */
export function formValues(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => formFields.has(name)));
}
