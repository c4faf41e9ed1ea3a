// Table of a plan's rows and their changes, or of its errors; each count links to its rows.

import { Link, useLocation } from '@remix-run/react';
import { planCommand } from '@yagura/core/alerthub/bulk/bulk-command';
import {
  type BulkImport,
  type PlanError,
  type PlanRow,
  planError,
  planRow,
} from '@yagura/core/alerthub/bulk/bulk-job';
import type { BulkKindName } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { dataKey, type MessageKey } from '@yagura/core/i18n/message-key';
import { quoteShellWords } from '@yagura/core/resource/command-line';
import { type FieldMeta, fieldMeta, type Tone } from '@yagura/core/resource/field';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-props.ts';
import type { TableState } from '../../ui/table/table-state.ts';
import { CliCommand } from '../../ui/text/cli-command.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { PlanChange } from './plan-change.tsx';
import { type PlanViewName, planColumnNames, planViews } from './plan-view.ts';

interface Page<T> {
  items: T[];
  total: number;
}

const tones: Record<string, Tone> = {
  create: 'success',
  update: 'info',
  delete: 'danger',
  unchanged: 'neutral',
};
const textField: FieldMeta = { kind: 'text', required: false, nullable: true };

export function PlanTable(props: {
  kind: BulkKindName;
  job: BulkImport;
  view: PlanViewName;
  state: TableState;
  errors: Page<PlanError> | null;
  rows: Page<PlanRow> | null;
}) {
  const { t } = useTranslation();
  const { kind, job, view, state, errors, rows } = props;
  const names = planColumnNames(view);
  const empty = <Placeholder kind="empty" title={t('bulk.no-rows')} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex items-start gap-4">
        <PlanCounts job={job} view={view} />
        <CliCommand command={quoteShellWords(planCommand(kind, job.importId, view, state))} />
      </div>
      {errors && (
        <DataTable<PlanError & { at: string }>
          id="bulk-errors"
          columns={names.map((name) => ({
            name,
            label: t(dataKey(`bulk.column.${name}`)),
            meta: fieldMeta(planError.shape[name as keyof PlanError]),
            sortable: false,
          }))}
          rows={errors.items.map((error, index) => ({ ...error, at: String(index) }))}
          rowKey={(row) => row.at}
          total={errors.total}
          state={state}
          caption={t('bulk.column.errors')}
          empty={empty}
        />
      )}
      {rows && (
        <DataTable<PlanRow>
          id="bulk-rows"
          columns={names.map((name) => planColumn(name, t(dataKey(`bulk.column.${name}`))))}
          rows={rows.items}
          rowKey={(row) => String(row.line)}
          total={rows.total}
          state={state}
          caption={t('bulk.column.changes')}
          empty={empty}
        />
      )}
    </div>
  );
}

function planColumn(name: string, label: string): TableColumn<PlanRow> {
  const column = { name, label, sortable: false };
  if (name === 'changes') return { ...column, meta: textField, render: (row) => <PlanChange row={row} /> };
  if (name === 'operation') {
    const render = (row: PlanRow) => <StatusBadge value={row.operation} tones={tones} />;
    return { ...column, meta: textField, render };
  }
  return { ...column, meta: fieldMeta(planRow.shape[name as keyof PlanRow]) };
}

function PlanCounts({ job, view }: { job: BulkImport; view: PlanViewName }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const counts: Record<PlanViewName, [word: MessageKey, count: number]> = {
    all: ['bulk.all-rows', job.creates + job.updates + job.deletes + job.unchanged],
    create: ['bulk.column.creates', job.creates],
    update: ['bulk.column.updates', job.updates],
    delete: ['bulk.column.deletes', job.deletes],
    unchanged: ['bulk.column.unchanged', job.unchanged],
    errors: ['bulk.column.errors', job.errorCount],
  };
  return (
    <nav aria-label={t('bulk.column.changes')} className="flex flex-1 flex-wrap gap-2">
      {planViews.map((name) => (
        <Link
          key={name}
          to={`${pathname}?show=${name}`}
          aria-current={name === view ? 'page' : undefined}
          className="grid min-w-24 rounded-md border border-line bg-surface px-3 py-1.5 text-text no-underline hover:bg-hover aria-[current=page]:border-primary aria-[current=page]:bg-selected"
        >
          <span className="text-xs text-muted">{t(counts[name][0])}</span>
          <span className="text-lg font-semibold tabular-nums">{counts[name][1]}</span>
        </Link>
      ))}
    </nav>
  );
}
