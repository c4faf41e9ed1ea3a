// Props of a data table.
import type { FieldMeta } from '@yagura/core/resource/field';
import type { ReactNode } from 'react';
import type { References } from '../references.ts';
import type { TableState } from './table-state.ts';

export interface TableColumn<Row = Record<string, unknown>> {
  name: string;
  label: string;
  meta: FieldMeta;
  sortable: boolean;
  /** Always the last column; cannot be hidden, moved or downloaded. */
  isFixed?: boolean;
  /** Renders the cell instead of the default for its kind. */
  render?(row: Row): ReactNode;
  /** Rendered after the default of the cell. */
  note?(row: Row): ReactNode;
}

export interface DataTableProps<Row> {
  /** Identifies the table in stored preferences. */
  id: string;
  /** All columns; the state determines the visible ones. */
  columns: TableColumn<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** Link of a row; the whole row is then a link. */
  rowHref?(row: Row): string | undefined;
  /** Field whose value names a row in messages. */
  rowTitle?: string;
  /** Accessible name of a row; the text of its link if absent. */
  rowLabel?(row: Row): string | undefined;
  total: number;
  /** Whether the total is a lower bound. */
  totalIsLeast?: boolean;
  state: TableState;
  caption: string;
  /** Rendered if there are no rows. */
  empty?: ReactNode;
  /** Next to the column menu, e.g. a search box and a create button. */
  actions?: ReactNode;
  references?: References;
  /**
   * Actions for the selected rows, of the shown ones; enables row selection. Called without selected rows, too, so that an
   * action can report its result.
   */
  bulkActions?: (keys: string[], done: () => void, rows: Row[]) => ReactNode;
}
