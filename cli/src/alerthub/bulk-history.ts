// `imports` and `exports`: lists past jobs and the rows of their plans.
import {
  bulkExport,
  bulkImport,
  planError,
  planOperations,
  planRow,
} from '@yagura/core/alerthub/bulk/bulk-job';
import type { Page } from '@yagura/core/http/page';
import { shapeFields } from '@yagura/core/resource/field';
import { callStandalone } from '@yagura/core/standalone-calls';
import type { DataOptions } from '../command-line/data-options.ts';
import { parseChoice } from '../command-line/parse-choice.ts';
import { maxOffset, parseInteger } from '../resource/list.ts';
import type { Row } from '../resource/meta/row.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import {
  type OutputShape,
  pickColumns,
  printCount,
  writeItem,
  writeRows,
} from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { saveExport } from './bulk-export.ts';
import { checkKind } from './bulk-kinds.ts';
import { importFormat, writeImport } from './write-import.ts';

export interface HistoryOptions extends DataOptions {
  limit?: string;
  offset?: string;
  columns?: string;
  operation?: string;
}

const defaultLimit = 30;
const outputShapes = {
  imports: { fields: shapeFields(bulkImport), id: 'importId' },
  exports: { fields: shapeFields(bulkExport), id: 'exportId' },
  rows: { fields: shapeFields(planRow) },
  errors: { fields: shapeFields(planError) },
} as const;
const outputColumns = {
  imports: ['importId', 'status', 'fileName', 'creates', 'updates', 'deletes', 'errorCount', 'requestedAt'],
  exports: ['exportId', 'status', 'fileName', 'rows', 'size', 'requestedAt'],
  rows: ['line', 'operation', 'key', 'name'],
  errors: ['line', 'column', 'reason'],
} as const;

/** Lists imports of a kind, newest first; without a kind, the imports in progress of all kinds. */
export async function listImports(
  terminal: Terminal,
  kind: string | undefined,
  options: HistoryOptions,
): Promise<void> {
  if (kind !== undefined) checkKind(kind);
  await writePage(terminal, 'imports', options, (transport, query) => {
    const request = { query, signal: terminal.signal };
    if (kind === undefined) return callStandalone(transport, 'bulk-imports-processing', request);
    return callStandalone(transport, 'bulk-imports', { ...request, params: { kind } });
  });
}

export async function showImport(
  terminal: Terminal,
  kind: string,
  importId: string,
  options: DataOptions,
): Promise<void> {
  checkKind(kind);
  const format = importFormat(options);
  const { transport } = openSession(terminal);
  const params = { kind, importId };
  const detail = await callStandalone(transport, 'bulk-import', { params, signal: terminal.signal });
  await writeImport(terminal, detail, format, transport);
}

/** Lists the rows or the errors of a plan. */
export async function listPlan(
  terminal: Terminal,
  what: 'rows' | 'errors',
  kind: string,
  importId: string,
  options: HistoryOptions,
): Promise<void> {
  checkKind(kind);
  const { operation } = options;
  if (operation !== undefined) parseChoice('--operation', operation, planOperations);
  await writePage(terminal, what, options, (transport, page): Promise<Page<object>> => {
    const request = { params: { kind, importId }, signal: terminal.signal };
    if (what === 'errors')
      return callStandalone(transport, 'bulk-import-errors', { ...request, query: page });
    return callStandalone(transport, 'bulk-import-rows', { ...request, query: { ...page, operation } });
  });
}

export async function listExports(terminal: Terminal, kind: string, options: HistoryOptions): Promise<void> {
  checkKind(kind);
  await writePage(terminal, 'exports', options, (transport, query) =>
    callStandalone(transport, 'bulk-exports', { params: { kind }, query, signal: terminal.signal }),
  );
}

export async function showExport(
  terminal: Terminal,
  kind: string,
  exportId: string,
  options: DataOptions,
): Promise<void> {
  checkKind(kind);
  const { fields, id } = outputShapes.exports;
  const format = parseOutputFormat(options, Object.keys(fields));
  const { transport } = openSession(terminal);
  const params = { kind, exportId };
  const job = await callStandalone(transport, 'bulk-export', { params, signal: terminal.signal });
  await writeItem(terminal, { ...job }, { fields, columns: Object.keys(fields), id }, format, transport);
}

/** `exports download`: downloads the file of an earlier export. */
export async function downloadExport(
  terminal: Terminal,
  kind: string,
  exportId: string,
  { output }: { output?: string },
): Promise<void> {
  checkKind(kind);
  await saveExport(terminal, openSession(terminal).transport, { kind, exportId, output });
}

async function writePage(
  terminal: Terminal,
  what: keyof typeof outputShapes,
  options: HistoryOptions,
  fetchPage: (
    transport: ReturnType<typeof openSession>['transport'],
    query: { limit: number; offset: number | undefined },
  ) => Promise<Page<object>>,
): Promise<void> {
  // The default label of `line` means a phone line.
  const labels = { line: terminal.t('bulk.column.line') };
  const known = Object.keys(outputShapes[what].fields);
  const columns = pickColumns(options.columns, known) ?? outputColumns[what];
  const shape: OutputShape = { ...outputShapes[what], columns, labels };
  const format = parseOutputFormat(options, known);
  const query = {
    limit: parseInteger(options.limit, '--limit', 1, 1000) ?? defaultLimit,
    offset: parseInteger(options.offset, '--offset', 0, maxOffset),
  };
  const { transport } = openSession(terminal);
  const page = await fetchPage(transport, query);
  await writeRows(terminal, page.items as Row[], shape, format, transport);
  if (isTableFormat(format))
    printCount(terminal, page.items.length, page.total, terminal.t(`cli.bulk.noun.${what}`));
}
