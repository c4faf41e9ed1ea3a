// Limits the runbook forms to name and remarks; the graph has its own editor.

import { type RunbookGraph, runbook, runbookGraph } from '@yagura/core/alerthub/runbook';
import { parseExactJson } from '@yagura/core/http/exact-json';
import { fillPath } from '@yagura/core/resource/define-resource';
import { exactFields } from '@yagura/core/resource/exact-position';
import type { ScreenMeta } from '../../../resource/screen-meta.ts';
import type { Api } from '../../../signin/api.server.ts';

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

/** Fetches the graph with its positions as strings; JSON.parse would round them to doubles. */
export async function fetchExactGraph(
  api: Api,
  runbookId: string,
): Promise<{ graph: RunbookGraph; tag: string }> {
  const { transport } = api;
  const path = fillPath(runbook.itemPath, { runbookId });
  const reply = await transport.fetch(transport.origin + path, { headers: await transport.headers?.() });
  // The client turns the error response into a Problem.
  if (!reply.ok) await api.client(runbook).show(runbookId);
  const item = parseExactJson(await reply.text(), exactFields);
  return { graph: runbookGraph.parse(item), tag: reply.headers.get('etag') ?? '' };
}
