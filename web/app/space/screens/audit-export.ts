// Downloads the audit log: all records that match the list's filter, in its order.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { auditRecord } from '@yagura/core/space/audit-record';
import { listQuery } from '../../resource/list/list-query.server.ts';
import { proxyDownload } from '../../signin/proxy-download.server.ts';
import { readTableState } from '../../ui/table/table-state.ts';

export function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const state = readTableState(searchParams, undefined, {
    sort: auditRecord.defaultSort,
    columns: [],
    known: [],
    sortable: [...auditRecord.sortable],
  });
  const { filter, sort } = listQuery(auditRecord, state, searchParams.get('filter'));
  const query = new URLSearchParams({ format: searchParams.get('format') === 'csv' ? 'csv' : 'json' });
  if (filter) query.set('filter', filter);
  if (sort) query.set('sort', sort);
  return proxyDownload(args, `${auditRecord.path}${auditRecord.calls.export!.path}?${query}`);
}
