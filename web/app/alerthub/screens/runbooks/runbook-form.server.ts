// The forms of a runbook ask its name and remarks; its graph has an editor of its own.
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';

const formFields = new Set(['displayName', 'remarks']);

/** The face without the fields of the graph. */
export function withoutGraph(meta: ResourceMeta): ResourceMeta {
  return {
    ...meta,
    form: Object.fromEntries(Object.entries(meta.form).filter(([name]) => formFields.has(name))),
  };
}

/** The values that such a form sends. */
export function formValues(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => formFields.has(name)));
}
