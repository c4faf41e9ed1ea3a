// View menu of a table: column selection and order, density, download, and on phones, which have no column headers, the
// sort order. A plain form without scripts.
import { useLocation, useSearchParams } from '@remix-run/react';
import { printSort, type SortKey } from '@yagura/core/query/sort';
import type { KeyboardEvent } from 'react';
import { Button, IconButton } from '../button.tsx';
import { handleMoveKey } from '../field/row-actions.tsx';
import { Icon } from '../icon.tsx';
import { useDismissibleDetails } from '../overlay/use-dismissible-details.ts';
import { useTranslation } from '../translation.tsx';
import { parseSort } from './table-state.ts';

interface ViewColumn {
  name: string;
  label: string;
  sortable: boolean;
}

export function ViewMenu(props: {
  columns: ViewColumn[];
  /** Column names in display order. */
  visible: string[];
  onChoose: (names: string[]) => void;
  sort: SortKey[];
  onSort: (sort: SortKey[]) => void;
  dense: boolean;
  onDense: (dense: boolean) => void;
  /** Downloads the view; absent if there are no rows. */
  onDownload?: (form: 'csv' | 'json') => void;
}) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const box = useDismissibleDetails();
  const { columns, visible } = props;
  const shown = visible.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const hidden = columns.filter((column) => !visible.includes(column.name));

  function move(from: number, to: number) {
    const name = visible[from]!;
    props.onChoose(visible.toSpliced(from, 1).toSpliced(to, 0, name));
    // The row's buttons move with it, so restore the focus.
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(name)}"] input`)?.focus(),
    );
  }

  return (
    <details ref={box} className="relative print:hidden">
      <summary className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong/60 bg-surface px-3 text-sm font-medium hover:bg-hover">
        <Icon name="columns" />
        {t('ui.columns')}
      </summary>
      <div className="absolute right-0 z-30 mt-1 max-h-[70dvh] w-72 overflow-y-auto rounded-lg border border-line bg-surface-raised p-2 shadow-float">
        <form method="get" action={pathname} onSubmit={(event) => event.preventDefault()}>
          {[...params].map(([key, value]) =>
            key === 'columns' ? null : (
              <input key={`${key}=${value}`} type="hidden" name={key} value={value} />
            ),
          )}
          <fieldset className="grid">
            <legend className="px-1 pb-1 text-xs text-muted">{t('ui.show-columns')}</legend>
            {[...shown, ...hidden].map((column, index) => {
              const on = index < shown.length;
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the controls within
                <div
                  key={column.name}
                  data-column={column.name}
                  onKeyDown={(event: KeyboardEvent) => on && handleMoveKey(event, index, shown.length, move)}
                  className="flex min-h-7 items-center rounded-sm px-1 hover:bg-hover"
                >
                  <label className="flex min-h-7 min-w-0 flex-1 items-center gap-2 text-sm">
                    <input
                      type="checkbox"
                      name="columns"
                      value={column.name}
                      checked={on}
                      // The last visible column cannot be hidden.
                      disabled={on && visible.length === 1}
                      onChange={(event) =>
                        props.onChoose(
                          event.target.checked
                            ? [...visible, column.name]
                            : visible.filter((name) => name !== column.name),
                        )
                      }
                      className="size-4"
                    />
                    <span className="truncate">{column.label}</span>
                  </label>
                  {on && shown.length > 1 && (
                    <>
                      <IconButton
                        icon="up"
                        label={t('ui.column-earlier', { name: column.label })}
                        disabled={index === 0}
                        onClick={() => move(index, index - 1)}
                      />
                      <IconButton
                        icon="down"
                        label={t('ui.column-later', { name: column.label })}
                        disabled={index === shown.length - 1}
                        onClick={() => move(index, index + 1)}
                      />
                    </>
                  )}
                </div>
              );
            })}
          </fieldset>
          <noscript>
            <Button type="submit" size="small">
              {t('ui.apply')}
            </Button>
          </noscript>
        </form>
        <SortSelect columns={columns} sort={props.sort} onSort={props.onSort} />
        <label className="mt-1 flex min-h-8 items-center gap-2 border-t border-line px-1 pt-1 text-sm">
          <input
            type="checkbox"
            checked={props.dense}
            onChange={(event) => props.onDense(event.target.checked)}
            className="size-4"
          />
          {t('ui.dense')}
        </label>
        {props.onDownload && (
          <div className="mt-1 flex flex-wrap items-center gap-2 border-t border-line px-1 pt-2">
            <span className="flex-1 text-sm">{t('ui.download-view')}</span>
            <Button size="small" onClick={() => props.onDownload!('csv')}>
              CSV
            </Button>
            <Button size="small" onClick={() => props.onDownload!('json')}>
              JSON
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}

function SortSelect(props: { columns: ViewColumn[]; sort: SortKey[]; onSort: (sort: SortKey[]) => void }) {
  const { t } = useTranslation();
  const choices = props.columns
    .filter((column) => column.sortable)
    .flatMap(({ name, label }) => [
      { value: name, text: t('ui.ascending', { name: label }) },
      { value: `-${name}`, text: t('ui.descending', { name: label }) },
    ]);
  if (choices.length === 0) return null;
  const current = printSort(props.sort.slice(0, 1));
  return (
    <label className="mt-1 flex min-h-10 items-center gap-2 border-t border-line px-1 pt-1 text-sm sm:hidden">
      <span className="shrink-0">{t('ui.sort')}</span>
      <select
        value={current}
        onChange={(event) => props.onSort(parseSort(event.target.value))}
        className="h-8 min-w-0 flex-1 rounded-md border border-line-strong/60 bg-surface px-1"
      >
        {choices.every(({ value }) => value !== current) && <option value={current}>–</option>}
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
