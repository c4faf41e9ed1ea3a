// Keeps the rows of a live list in place while someone uses it, so that a press hits the row it was meant for.
import { useFetchers, useLocation, useNavigation } from '@remix-run/react';
import { useMemo, useState } from 'react';
import type { References } from '../references.ts';

/** What a table shows. */
export interface TableRows<Row> {
  rows: Row[];
  rowKey(row: Row): string;
  rowHref?(row: Row): string | undefined;
  total: number;
  /** Whether the total is a lower bound. */
  totalIsLeast?: boolean;
  references?: References;
}

/** Rows that wait to be shown. */
export interface WaitingRows {
  /** 0 if rows have only moved or gone. */
  number: number;
  /** Whether the number is a lower bound. */
  isLeast: boolean;
}

export interface HeldRows<Row> extends TableRows<Row> {
  /** Null if what is shown is the latest. */
  waiting: WaitingRows | null;
  /** Shows what waits. */
  show(): void;
  /** To be called with whether the rows are to stay; shows what waits if not. */
  settle(isHeld: boolean): void;
}

/**
 * Returns the rows to show: their order and number stay while held, but each has its latest values. Own changes and
 * another page, filter or order are shown at once.
 */
export function useHeldRows<Row>(latest: TableRows<Row>): HeldRows<Row> {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const [held, setHeld] = useState({ ...latest, address });
  const isWriting = useIsWriting();
  const [isOwnChange, setIsOwnChange] = useState(false);
  if (isWriting && !isOwnChange) setIsOwnChange(true);
  const show = () => {
    setHeld({ ...latest, address });
    setIsOwnChange(isWriting);
  };
  const merged = useMemo(() => mergeRows(held, latest), [held, latest.rows, latest.references]);
  return {
    ...latest,
    ...merged,
    rowHref: latest.rowHref && ((row) => latest.rowHref?.(row) ?? held.rowHref?.(row)),
    waiting: waitingRows(held, latest),
    show,
    settle: (isHeld) => {
      if (held.rows === latest.rows && held.address === address) return;
      if (!isHeld || isOwnChange || held.address !== address) show();
    },
  };
}

/** Pure: what is shown of the held and the latest rows. */
function mergeRows<Row>(
  held: TableRows<Row>,
  latest: TableRows<Row>,
): Pick<TableRows<Row>, 'rows' | 'references'> {
  if (held.rows === latest.rows) return latest;
  const current = new Map(latest.rows.map((row) => [latest.rowKey(row), row]));
  const references: References = { ...held.references };
  for (const [resource, found] of Object.entries(latest.references ?? {}))
    references[resource] = { ...references[resource], ...found };
  return { rows: held.rows.map((row) => current.get(latest.rowKey(row)) ?? row), references };
}

/** Pure: what is in the latest rows, but not in the held ones. */
export function waitingRows<Row>(held: TableRows<Row>, latest: TableRows<Row>): WaitingRows | null {
  const before = held.rows.map(latest.rowKey);
  const now = latest.rows.map(latest.rowKey);
  if (before.length === now.length && now.every((key, index) => key === before[index])) return null;
  const known = new Set(before);
  const onPage = now.filter((key) => !known.has(key)).length;
  return {
    number: onPage === 0 ? 0 : Math.max(onPage, latest.total - held.total),
    isLeast: onPage === now.length && latest.totalIsLeast === true,
  };
}

/** Whether the page is posting something, or loads what has changed by it. */
function useIsWriting(): boolean {
  const navigation = useNavigation();
  const fetchers = useFetchers();
  return [navigation, ...fetchers].some(
    ({ state, formMethod }) =>
      state !== 'idle' && formMethod !== undefined && formMethod.toUpperCase() !== 'GET',
  );
}
