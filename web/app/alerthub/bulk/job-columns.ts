// Columns of the import and export history tables.

import { bulkExport, bulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { fieldMeta } from '@yagura/core/resource/field';
import type { TableColumn } from '../../ui/table/table-props.ts';

export const importColumnNames = [
  'fileName',
  'status',
  'requestedAt',
  'requestedBy',
  'creates',
  'updates',
  'deletes',
  'unchanged',
  'errorCount',
];
export const exportColumnNames = ['fileName', 'status', 'requestedAt', 'requestedBy', 'rows', 'size'];

const labelKeys: Record<string, string> = {
  fileName: 'file',
  status: 'status',
  requestedAt: 'requested',
  requestedBy: 'who',
  startedAt: 'started',
  endedAt: 'ended',
  size: 'size',
  rows: 'rows',
  creates: 'creates',
  updates: 'updates',
  deletes: 'deletes',
  unchanged: 'unchanged',
  errorCount: 'errors',
};

/** Returns the named columns in that order; the detail pages of a single job use them as well. */
export function jobColumns<Row>(
  direction: 'imports' | 'exports',
  names: string[],
  t: Translate,
): TableColumn<Row>[] {
  const shape = { ...(direction === 'imports' ? bulkImport : bulkExport).shape };
  return names.map((name) => ({
    name,
    label: t(dataKey(`bulk.column.${labelKeys[name]}`)),
    meta: fieldMeta(shape[name as keyof typeof shape]),
    sortable: false,
  }));
}
