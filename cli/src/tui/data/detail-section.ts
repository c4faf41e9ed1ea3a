// A section of a detail view with the first rows of a list: heading with the count, linked to the list.
import type { PathParams } from '@yagura/core/resource/client';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { Row } from '../../resource/meta/row.ts';
import type { Presenter } from '../../resource/output/present-value.ts';
import type { Column } from '../../terminal/table.ts';
import { itemTitle } from '../state/item-title.ts';
import type { Detail, DetailLine, ViewTarget } from '../state/state.ts';
import { listColumns, listFields, rowCells } from '../views/render-list.ts';

export interface DetailSection {
  key: string;
  title: string;
  meta: ResourceMeta;
  params: PathParams;
  filter?: string;
  rows: readonly Row[];
  total: number;
  names: ReadonlyMap<string, string>;
  /** Fields to show; the list's columns when omitted. */
  fields?: readonly string[];
}

/** Maximum columns of a small table. */
const maxPreviewColumns = 5;

/** Appends a section to a detail view. */
export function appendSection(
  detail: Detail,
  section: DetailSection,
  presenter: Presenter,
  now: number,
): Detail {
  const { key, meta, params, filter, rows, total, names, title } = section;
  const fields = (section.fields ?? listFields(meta)).slice(0, maxPreviewColumns);
  const list: ViewTarget | undefined = meta.verbs.includes('list')
    ? { kind: 'list', resource: meta.name, params, ...(filter ? { filter } : {}) }
    : undefined;
  const lines: DetailLine[] = [
    ...(detail.lines.length > 0 ? [{ key: `${key}:gap`, depth: 0, text: '' }] : []),
    { key, depth: 0, text: `${title} (${total})`, style: 'bold', ...(list ? { link: list } : {}) },
    ...rows.map(
      (row): DetailLine => ({
        key: `${key}:${row[meta.id]}`,
        depth: 1,
        text: '',
        cells: rowCells(meta, fields, row, { ...presenter, names, exact: false }, now),
        table: detail.tables.length,
        link: { kind: 'item', resource: meta.name, params, id: String(row[meta.id]) },
        title: itemTitle(presenter, meta, row, String(row[meta.id])),
      }),
    ),
  ];
  const columns: Column[] = listColumns(meta, fields, presenter);
  return { lines: [...detail.lines, ...lines], tables: [...detail.tables, columns] };
}
