// A few rows of a list as part of a sheet: a head with their number, that leads to the list, and the rows below.
import type { PathParams } from '@yagura/core/resource/client';
import type { ResourceMeta, Row } from '../resource/entry.ts';
import type { Presenter } from '../resource/present.ts';
import type { Column } from '../term/table.ts';
import { cellsOf, columnsFor, listFields } from './draw-list.ts';
import type { Detail, DetailLine, Target } from './state.ts';
import { titleOf } from './title-of.ts';

export interface Section {
  key: string;
  title: string;
  entry: ResourceMeta;
  params: PathParams;
  filter?: string;
  rows: readonly Row[];
  total: number;
  names: ReadonlyMap<string, string>;
  /** Fields to show; the columns of the list when absent. */
  fields?: readonly string[];
}

/** Columns of a small table at most. */
const narrow = 5;

/** Adds the lines of a section to a sheet. */
export function withSection(detail: Detail, section: Section, presenter: Presenter, now: number): Detail {
  const { key, entry, params, filter, rows, total, names, title } = section;
  const fields = (section.fields ?? listFields(entry)).slice(0, narrow);
  const list: Target | undefined = entry.verbs.includes('list')
    ? { kind: 'list', resource: entry.name, params, ...(filter ? { filter } : {}) }
    : undefined;
  const lines: DetailLine[] = [
    ...(detail.lines.length > 0 ? [{ key: `${key}:gap`, depth: 0, text: '' }] : []),
    { key, depth: 0, text: `${title} (${total})`, style: 'bold', ...(list ? { link: list } : {}) },
    ...rows.map(
      (row): DetailLine => ({
        key: `${key}:${row[entry.id]}`,
        depth: 1,
        text: '',
        cells: cellsOf(entry, fields, row, { ...presenter, names }, now),
        table: detail.tables.length,
        link: { kind: 'item', resource: entry.name, params, id: String(row[entry.id]) },
        title: titleOf(presenter, entry, row, String(row[entry.id])),
      }),
    ),
  ];
  const columns: Column[] = columnsFor(entry, fields, presenter);
  return { lines: [...detail.lines, ...lines], tables: [...detail.tables, columns] };
}
