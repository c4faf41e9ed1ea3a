// Which columns a table shows. A plain form without scripts; with them every tick counts at once.
import { useLocation, useSearchParams } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useWords } from './words.tsx';

export function ColumnChooser(props: {
  columns: { name: string; label: string }[];
  visible: string[];
  onChoose: (names: string[]) => void;
}) {
  const { t } = useWords();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const box = useRef<HTMLDetailsElement>(null);
  const { columns, visible } = props;

  useEffect(() => {
    const close = (event: Event) => {
      const node = box.current;
      if (!node?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        node.querySelector('summary')?.focus();
      } else if (node.contains(event.target as Node)) return;
      node.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, []);

  function toggle(name: string, on: boolean) {
    props.onChoose(
      columns
        .filter((column) => (column.name === name ? on : visible.includes(column.name)))
        .map(({ name }) => name),
    );
  }

  return (
    <details ref={box} className="relative">
      <summary className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong/60 bg-surface px-3 text-sm font-medium hover:bg-hover">
        <Icon name="columns" />
        {t('ui.columns')}
      </summary>
      <form
        method="get"
        action={pathname}
        onSubmit={(event) => event.preventDefault()}
        className="absolute right-0 z-30 mt-1 grid w-60 gap-0.5 rounded-lg border border-line bg-surface-raised p-2 shadow-float"
      >
        {[...params].map(([key, value]) =>
          key === 'columns' ? null : <input key={`${key}=${value}`} type="hidden" name={key} value={value} />,
        )}
        <fieldset className="grid">
          <legend className="px-1 pb-1 text-xs text-muted">{t('ui.show-columns')}</legend>
          {columns.map((column) => {
            const on = visible.includes(column.name);
            return (
              <label
                key={column.name}
                className="flex min-h-7 items-center gap-2 rounded-sm px-1 text-sm hover:bg-hover"
              >
                <input
                  type="checkbox"
                  name="columns"
                  value={column.name}
                  checked={on}
                  // The last column stays.
                  disabled={on && visible.length === 1}
                  onChange={(event) => toggle(column.name, event.target.checked)}
                  className="size-4"
                />
                {column.label}
              </label>
            );
          })}
        </fieldset>
        <noscript>
          <Button type="submit" size="small">
            {t('ui.apply')}
          </Button>
        </noscript>
      </form>
    </details>
  );
}
