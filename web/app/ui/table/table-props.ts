// What a table is told: its columns, its rows and what can be done with them.
import type { FieldMeta } from '@yagura/core/resource/field';
import type { ReactNode } from 'react';
import type { References } from '../references.ts';
import type { TableState } from './table-state.ts';

export interface TableColumn<Row = Record<string, unknown>> {
  name: string;
  label: string;
  meta: FieldMeta;
  sortable: boolean;
  /** Belongs to the table: it always stands at the end and is not chosen or downloaded. */
  isFixed?: boolean;
  /** Draws the cell instead of the value's kind. */
  render?(row: Row): ReactNode;
}

export interface DataTableProps<Row> {
  /** Names the table in stored choices. */
  id: string;
  /** Every column there is; the state says which are visible. */
  columns: TableColumn<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** Where a row leads; the row then is one link. */
  rowHref?(row: Row): string | undefined;
  /** Field that names a row where only its name can be told. */
  rowTitle?: string;
  /** Name of a row for people who do not see it; the text of its link when absent. */
  rowLabel?(row: Row): string | undefined;
  total: number;
  /** There are more than were counted. */
  totalIsLeast?: boolean;
  state: TableState;
  caption: string;
  /** Drawn when there are no rows. */
  empty?: ReactNode;
  /** Beside the column chooser, e.g. a search box and a create button. */
  actions?: ReactNode;
  references?: References;
  /** What can be done with the ticked rows; rows can be ticked when it is given. */
  bulkActions?: (keys: string[], done: () => void) => ReactNode;
}
