// Button over the upper edge of a table that shows the rows that have arrived while the shown ones were held.
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import { Button } from '../button.tsx';
import { useTranslation } from '../translation.tsx';
import type { WaitingRows } from './use-held-rows.ts';

/** To be rendered in a positioned element; takes no space, so that nothing moves when it appears. */
export function WaitingRowsButton({ waiting, onShow }: { waiting: WaitingRows | null; onShow: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0 z-20 flex max-sm:-top-2 h-0 items-center justify-center print:hidden">
      {/* Announced once, not with every row. */}
      <span role="status" className="sr-only">
        {waiting && t('ui.rows-waiting')}
      </span>
      {waiting && (
        <Button
          size="small"
          variant="primary"
          icon="refresh"
          className="pointer-events-auto shadow-raised"
          onClick={({ currentTarget, detail }) => {
            const table = currentTarget.parentElement!.parentElement!;
            onShow();
            // The button goes, and the focus of the keyboard with it.
            if (detail === 0)
              requestAnimationFrame(() => table.querySelector<HTMLElement>('tbody a')?.focus());
          }}
        >
          {waiting.number === 0
            ? t('ui.rows-changed')
            : t(waiting.isLeast ? 'ui.rows-new-at-least' : 'ui.rows-new', {
                number: formatWholeNumber(waiting.number),
              })}
        </Button>
      )}
    </div>
  );
}
