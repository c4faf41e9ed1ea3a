// Audit log API: list, export and verification of the chain.
import { neutralizeFormula } from '@yagura/core/format/csv-formula';
import { invalidField } from '@yagura/core/http/problem';
import { auditRecord } from '@yagura/core/space/audit-record';
import type { AuditLog } from '../../audit/audit-log.ts';
import { type Behaviour, RawReply } from '../../resource/behaviour.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { rowTable } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { ResourceServices } from '../../resource/request-context.ts';

export interface AuditServices extends ResourceServices {
  audit: AuditLog;
}

const max = 50_000;
const page = 1_000;

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
      const items: Record<string, unknown>[] = [];
      for (let offset = 0; offset < max; offset += page) {
        const found = await listItems(context, auditRecord, table, { ...request, limit: page, offset });
        items.push(...found.items);
        if (found.items.length < page) break;
      }
      const name = `audit-log.${format}`;
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
      const body = format === 'csv' ? csvOf(items) : JSON.stringify(items);
      return new RawReply(body, {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
      });
    },
  },
};

/** CSV (RFC 4180) with a byte order mark, so that spreadsheets detect UTF-8. */
function csvOf(items: readonly Record<string, unknown>[]): string {
  const names = Object.keys(auditRecord.shape.shape);
  const lines = items.map((item) => names.map((name) => cellOf(item[name])).join(','));
  return `\ufeff${[names.join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  const safe = neutralizeFormula(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
