// `imports` and `exports`: what has been imported and exported, row by row where there are rows.
import {
  bulkExport,
  bulkImport,
  planError,
  planOperations,
  planRow,
} from '@yagura/core/alerthub/bulk/bulk-job';
import { callFixed } from '@yagura/core/http/fixed-calls';
import type { Page } from '@yagura/core/http/page';
import { shapeFields } from '@yagura/core/resource/field';
import { dataForm, isTable } from '../resource/data-form.ts';
import type { Row } from '../resource/entry.ts';
import { wholeNumber } from '../resource/list.ts';
import { printCount, type Shape, writeItem, writeRows } from '../resource/output.ts';
import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { fetchExport, saveFile } from './bulk-export.ts';
import { checkKind } from './bulk-kinds.ts';
import { importForm, writeImport } from './import-text.ts';

export interface HistoryOptions extends DataOptions {
  limit?: string;
  offset?: string;
  operation?: string;
}

const usualLimit = 30;
const shapes = {
  imports: { fields: shapeFields(bulkImport), id: 'importId' },
  exports: { fields: shapeFields(bulkExport), id: 'exportId' },
  rows: { fields: shapeFields(planRow) },
  errors: { fields: shapeFields(planError) },
} as const;
const columns = {
  imports: ['importId', 'status', 'fileName', 'creates', 'updates', 'deletes', 'errorCount', 'requestedAt'],
  exports: ['exportId', 'status', 'fileName', 'rows', 'size', 'requestedAt'],
  rows: ['line', 'operation', 'key', 'name'],
  errors: ['line', 'column', 'reason'],
} as const;

/** Imports of a kind, newest first; those under way of every kind when none is named. */
export async function listImports(
  terminal: Terminal,
  kind: string | undefined,
  options: HistoryOptions,
): Promise<void> {
  if (kind !== undefined) checkKind(kind);
  await writePage(terminal, 'imports', options, (transport, query) => {
    const given = { query, signal: terminal.signal };
    if (kind === undefined) return callFixed(transport, 'bulk-imports-processing', given);
    return callFixed(transport, 'bulk-imports', { ...given, params: { kind } });
  });
}

export async function showImport(
  terminal: Terminal,
  kind: string,
  importId: string,
  options: DataOptions,
): Promise<void> {
  checkKind(kind);
  const form = importForm(options);
  const { transport } = openSession(terminal);
  const params = { kind, importId };
  const detail = await callFixed(transport, 'bulk-import', { params, signal: terminal.signal });
  await writeImport(terminal, detail, form, transport);
}

/** The rows of a plan, or its errors. */
export async function listPlan(
  terminal: Terminal,
  what: 'rows' | 'errors',
  kind: string,
  importId: string,
  options: HistoryOptions,
): Promise<void> {
  checkKind(kind);
  const { operation } = options;
  if (operation !== undefined && !(planOperations as readonly string[]).includes(operation))
    throw new Usage('cli.usage.choice', { flag: '--operation', values: planOperations.join(', ') });
  await writePage(terminal, what, options, (transport, page): Promise<Page<object>> => {
    const given = { params: { kind, importId }, signal: terminal.signal };
    if (what === 'errors') return callFixed(transport, 'bulk-import-errors', { ...given, query: page });
    return callFixed(transport, 'bulk-import-rows', { ...given, query: { ...page, operation } });
  });
}

export async function listExports(terminal: Terminal, kind: string, options: HistoryOptions): Promise<void> {
  checkKind(kind);
  await writePage(terminal, 'exports', options, (transport, query) =>
    callFixed(transport, 'bulk-exports', { params: { kind }, query, signal: terminal.signal }),
  );
}

export async function showExport(
  terminal: Terminal,
  kind: string,
  exportId: string,
  options: DataOptions,
): Promise<void> {
  checkKind(kind);
  const { fields, id } = shapes.exports;
  const form = dataForm(options, Object.keys(fields));
  const { transport } = openSession(terminal);
  const params = { kind, exportId };
  const job = await callFixed(transport, 'bulk-export', { params, signal: terminal.signal });
  await writeItem(terminal, { ...job }, { fields, columns: Object.keys(fields), id }, form, transport);
}

/** `exports download`: the file of an export that was made before. */
export async function downloadExport(
  terminal: Terminal,
  kind: string,
  exportId: string,
  { output }: { output?: string },
): Promise<void> {
  checkKind(kind);
  const text = await fetchExport(terminal, openSession(terminal).transport, kind, exportId);
  if (output === undefined || output === '-') terminal.out.write(text);
  else await saveFile(terminal, output, text);
}

async function writePage(
  terminal: Terminal,
  what: keyof typeof shapes,
  options: HistoryOptions,
  ask: (
    transport: ReturnType<typeof openSession>['transport'],
    query: { limit: number; offset: number | undefined },
  ) => Promise<Page<object>>,
): Promise<void> {
  // Elsewhere a line is one that people are called on.
  const labels = { line: terminal.t('bulk.column.line') };
  const shape: Shape = { ...shapes[what], columns: columns[what], labels };
  const form = dataForm(options, Object.keys(shape.fields));
  const query = {
    limit: wholeNumber(options.limit, '--limit', 1, 1000) ?? usualLimit,
    offset: wholeNumber(options.offset, '--offset', 0, 10_000_000),
  };
  const { transport } = openSession(terminal);
  const page = await ask(transport, query);
  await writeRows(terminal, page.items as Row[], shape, form, transport);
  if (isTable(form)) printCount(terminal, page.items.length, page.total, terminal.t(`cli.bulk.noun.${what}`));
}
