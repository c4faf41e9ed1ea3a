// Of the gallery: the pieces that show a resource, on made-up rows and one field of every kind.
import { useSearchParams } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { FilterBuilder } from '../resource/filter-builder.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Form } from '../ui/form.tsx';
import { InfoTable } from '../ui/info-table.tsx';
import { ResourceHeader } from '../ui/resource-header.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import type { TableColumn } from '../ui/table-props.ts';
import { readTableState } from '../ui/table-state.ts';
import { useToast } from '../ui/toast.tsx';
import { useTranslation } from '../ui/words.tsx';
import { Piece } from './gallery-piece.tsx';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});
const severities = ['normal', 'warning', 'incident'];
const tones = { normal: 'success', warning: 'warning', incident: 'danger' } as const;
const shown: Record<string, FieldMeta> = {
  displayName: field('text', { max: 100 }),
  status: field('choice', { options: severities, tones }),
  size: field('bytes'),
  email: field('email'),
  updatedAt: field('date-time'),
};
const asked: Record<string, FieldMeta> = {
  displayName: field('text', { min: 1, max: 100 }),
  remarks: field('long-text', { required: false, default: '' }),
  severity: field('choice', { options: severities }),
  email: field('email'),
  url: field('url', { required: false, default: '' }),
  port: field('integer', { min: 1, max: 65_535, default: 22 }),
  password: field('secret'),
  recoveryTime: field('seconds', { min: 60, max: 86_400, nullable: true }),
  disabled: field('boolean', { required: false, default: false }),
  data: field('json', { required: false, default: { level: 3 } }),
};

interface MadeUp extends Record<string, unknown> {
  id: string;
}

/** More than one page of the default size, so that paging and sorting have something to do. */
const rows: MadeUp[] = Array.from({ length: 23 }, (_, number) => ({
  id: `row-${number + 1}`,
  displayName: `Switch ${number + 1}`,
  status: severities[number % 3],
  size: 1024 * (number + 1) ** 3,
  email: `duty-${number + 1}@example.com`,
  updatedAt: new Date(Date.UTC(2026, 8, 1, number)).toISOString(),
}));

export function GalleryResource() {
  const { t, label } = useTranslation();
  const toast = useToast();
  const [params] = useSearchParams();
  const columns: TableColumn<MadeUp>[] = Object.entries(shown).map(([name, meta]) => ({
    name,
    label: label(name),
    meta,
    sortable: true,
  }));
  const state = readTableState(params, undefined, { columns: Object.keys(shown) });
  const [first] = rows;
  const start = (state.page - 1) * state.size;
  return (
    <>
      <Piece name="DataTable" wide>
        <DataTable
          id="gallery"
          caption="DataTable"
          columns={columns}
          rows={sorted(state.sort).slice(start, start + state.size)}
          rowKey={(row) => row.id}
          rowTitle="displayName"
          total={rows.length}
          state={state}
          actions={<FilterBuilder name="filter" fields={shown} />}
          bulk={(keys, done) => (
            <Button
              size="small"
              onClick={() => {
                toast.info(t('ui.selected', { number: keys.length }));
                done();
              }}
            >
              {t('ui.toast-info')}
            </Button>
          )}
        />
      </Piece>
      <Piece name="ResourceHeader" wide>
        {/* Its title is the heading of a page; here it is one of several pieces. */}
        <ResourceHeader
          level={3}
          title="Switch 1"
          id="0199d2c1-0000-7000-8000-000000000000"
          remarks={'10.0.0.1\nrack 7'}
          badge={<StatusBadge value="warning" tones={tones} options={severities} />}
          backHref="/apps/devtool/gallery"
          editHref="/apps/devtool/gallery"
          copyHref="/apps/devtool/gallery"
          onDelete={() => toast.warning(t('ui.toast-warning'))}
        />
      </Piece>
      <Piece name="InfoTable">
        <InfoTable
          caption="InfoTable"
          rows={Object.entries(shown).map(([name, meta]) => ({ name, meta, value: first![name] }))}
        />
      </Piece>
      <Piece name="Form" wide>
        <Form
          meta={asked}
          values={{ displayName: 'Switch 1' }}
          action="/apps/devtool/gallery"
          cancelHref="/apps/devtool/gallery"
        />
      </Piece>
    </>
  );
}

function sorted(keys: readonly { field: string; descending: boolean }[]): MadeUp[] {
  return [...rows].sort((left, right) => {
    for (const { field, descending } of keys) {
      const order = compare(left[field], right[field]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left).localeCompare(String(right), 'en', { numeric: true });
}
