// Selection of a table page's rows. Rows that leave the page are deselected, so that bulk actions affect
// visible rows only.
import { useMemo, useRef, useState } from 'react';

export interface RowSelection {
  /** Keys of the selected rows in table order. */
  keys: string[];
  has(key: string): boolean;
  /** Toggles a row, or the whole range from the row toggled last. */
  toggle(key: string, isRange?: boolean): void;
  toggleAll(on: boolean): void;
}

/** Pure: returns the selection after toggling a row and all rows between it and `from`. */
export function toggleSelection(
  keys: readonly string[],
  selected: ReadonlySet<string>,
  key: string,
  from?: string,
): Set<string> {
  const on = !selected.has(key);
  const ends = [keys.indexOf(key), keys.indexOf(from ?? key)].sort((a, b) => a - b);
  const changed = ends[0]! < 0 ? [key] : keys.slice(ends[0], ends[1]! + 1);
  const next = new Set(selected);
  for (const one of changed) {
    if (on) next.add(one);
    else next.delete(one);
  }
  return next;
}

export function useRowSelection(keys: readonly string[]): RowSelection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const chosen = useMemo(() => keys.filter((key) => selected.has(key)), [keys, selected]);
  return {
    keys: chosen,
    has: (key) => selected.has(key),
    toggle(key, isRange = false) {
      setSelected(toggleSelection(keys, selected, key, isRange ? last.current : undefined));
      last.current = key;
    },
    toggleAll: (on) => setSelected(new Set(on ? keys : [])),
  };
}
