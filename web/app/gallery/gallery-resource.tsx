// Gallery components that show a resource, with sample rows and one field of every kind.
import { useSearchParams } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { FilterBuilder } from '../resource/filter/filter-builder.tsx';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form/form.tsx';
import { useToast } from '../ui/overlay/toast.tsx';
import { ResourceHeader } from '../ui/page/resource-header.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { InfoTable } from '../ui/table/info-table.tsx';
import type { TableColumn } from '../ui/table/table-props.ts';
import { readTableState } from '../ui/table/table-state.ts';
import { StatusBadge } from '../ui/text/status-badge.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { GallerySection } from './gallery-section.tsx';

const field = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: true,
  nullable: false,
  ...more,
});
const severities = ['normal', 'warning', 'incident'];
const tones = { normal: 'success', warning: 'warning', incident: 'danger' } as const;
const tableFields: Record<string, FieldMeta> = {
  displayName: field('text', { max: 100 }),
  status: field('choice', { options: severities, tones }),
  size: field('bytes'),
  email: field('email'),
  date: field('date'),
  updatedAt: field('date-time'),
};
const formFields: Record<string, FieldMeta> = {
  displayName: field('text', { min: 1, max: 100 }),
  remarks: field('long-text', { required: false, default: '' }),
  severity: field('choice', { options: severities }),
  email: field('email'),
  url: field('url', { required: false, default: '' }),
  port: field('integer', { min: 1, max: 65_535, default: 22 }),
  password: field('secret'),
  recoveryTime: field('seconds', { min: 60, max: 86_400, nullable: true }),
  date: field('date', { nullable: true }),
  disabled: field('boolean', { required: false, default: false }),
  data: field('json', { required: false, default: { level: 3 } }),
};

interface SampleRow extends Record<string, unknown> {
  id: string;
}

/** More rows than the default page size, so that paging and sorting can be tried. */
const sampleRows: SampleRow[] = Array.from({ length: 23 }, (_, number) => ({
  id: `row-${number + 1}`,
  displayName: `Switch ${number + 1}`,
  status: severities[number % 3],
  size: 1024 * (number + 1) ** 3,
  email: `duty-${number + 1}@example.com`,
  date: `2026-09-${String(number + 1).padStart(2, '0')}`,
  updatedAt: new Date(Date.UTC(2026, 8, 1, number)).toISOString(),
}));

export function GalleryResource() {
  const { t, fieldLabel } = useTranslation();
  const toast = useToast();
  const [params] = useSearchParams();
  const columns: TableColumn<SampleRow>[] = Object.entries(tableFields).map(([name, meta]) => ({
    name,
    label: fieldLabel(name),
    meta,
    sortable: true,
  }));
  const state = readTableState(params, undefined, { columns: Object.keys(tableFields) });
  const [first] = sampleRows;
  const start = (state.page - 1) * state.size;
  return (
    <>
      <GallerySection name="DataTable" wide>
        <DataTable
          id="gallery"
          caption="DataTable"
          columns={columns}
          rows={sortRows(state.sort).slice(start, start + state.size)}
          rowKey={(row) => row.id}
          rowTitle="displayName"
          total={sampleRows.length}
          state={state}
          actions={<FilterBuilder name="filter" fields={tableFields} />}
          bulkActions={(keys, done) =>
            keys.length > 0 && (
              <Button
                size="small"
                onClick={() => {
                  toast.info(t('ui.selected', { number: keys.length }));
                  done();
                }}
              >
                {t('ui.toast-info')}
              </Button>
            )
          }
        />
      </GallerySection>
      <GallerySection name="ResourceHeader" wide>
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
      </GallerySection>
      <GallerySection name="InfoTable">
        <InfoTable
          caption="InfoTable"
          rows={Object.entries(tableFields).map(([name, meta]) => ({ name, meta, value: first![name] }))}
        />
      </GallerySection>
      <GallerySection name="Form" wide>
        <Form
          meta={formFields}
          values={{ displayName: 'Switch 1' }}
          action="/apps/devtool/gallery"
          cancelHref="/apps/devtool/gallery"
        />
      </GallerySection>
    </>
  );
}

function sortRows(keys: readonly { field: string; descending: boolean }[]): SampleRow[] {
  return [...sampleRows].sort((left, right) => {
    for (const { field, descending } of keys) {
      const order = compareValues(left[field], right[field]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left).localeCompare(String(right), 'en', { numeric: true });
}
