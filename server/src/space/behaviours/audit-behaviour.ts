// Audit log API: list, export and verification of the chain.
import { Readable } from 'node:stream';
import { neutralizeFormula } from '@yagura/core/format/csv-formula';
import { invalidField } from '@yagura/core/http/problem';
import { auditRecord } from '@yagura/core/space/audit-record';
import type { AuditLog } from '../../audit/audit-log.ts';
import { type Behaviour, RawReply } from '../../resource/behaviour.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { ResourceServices } from '../../resource/request-context.ts';
import { readSelectedRecords } from './audit-export.ts';

export interface AuditServices extends ResourceServices {
  audit: AuditLog;
}

const table = rowTable(auditRecord, {
  from: 'audit_record a',
  alias: 'a',
  item: (row) => ({ number: Number(row.number) }),
});

export const auditRecordBehaviour: Behaviour<typeof auditRecord, AuditServices> = {
  resource: auditRecord,
  table,
  calls: {
    verify: (context) => context.services.audit.verify(),
    retention: async (context) => ({ days: context.services.audit.retentionDays }),
    async export(context) {
      const { format = 'json', ...query } = context.query;
      if (format !== 'json' && format !== 'csv')
        throw invalidField('format', context.t('rule.oneOf', { options: 'json, csv' }));
      const request = readListQuery(auditRecord, query, context.t);
      const batches = readSelectedRecords(context, table, request);
      // A failure to read at all is still an error response.
      const first = await batches.next();
      const pieces = format === 'csv' ? csvPieces(first, batches) : jsonPieces(first, batches);
      const name = `audit-log.${format}`;
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
      return new RawReply(Readable.from(pieces, { objectMode: false }), {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
      });
    },
  },
};

type Batch = Record<string, unknown>[];

async function* jsonPieces(
  first: IteratorResult<Batch>,
  rest: AsyncGenerator<Batch>,
): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for (let next = first; !next.done; next = await rest.next()) {
    if (next.value.length === 0) continue;
    yield separator + next.value.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield ']';
}

/** CSV (RFC 4180) with a byte order mark, so that spreadsheets detect UTF-8. */
async function* csvPieces(first: IteratorResult<Batch>, rest: AsyncGenerator<Batch>): AsyncGenerator<string> {
  const names = Object.keys(auditRecord.shape.shape);
  yield `\ufeff${names.join(',')}\r\n`;
  for (let next = first; !next.done; next = await rest.next())
    yield next.value.map((item) => `${names.map((name) => cellOf(item[name])).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  const safe = neutralizeFormula(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
