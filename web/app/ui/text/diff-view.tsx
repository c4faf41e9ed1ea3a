// Line diff of two texts in one column: removed, added and unchanged lines.

import { useTranslation } from '../translation.tsx';
import { lineDiff } from './line-diff.ts';

const lineStyles = {
  same: { sign: ' ', row: '' },
  added: { sign: '+', row: 'bg-success-bg text-success-fg' },
  removed: { sign: '-', row: 'bg-danger-bg text-danger-fg' },
} as const;

export function DiffView({ before, after, caption }: { before: string; after: string; caption: string }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
      tabIndex={0}
      className="max-h-[70vh] overflow-auto rounded-md border border-line bg-surface font-mono text-xs"
    >
      {lineDiff(before, after).map(({ kind, text }, index) => (
        <div key={index} className={`flex ${lineStyles[kind].row}`}>
          <span aria-hidden="true" className="w-6 shrink-0 text-center select-none">
            {lineStyles[kind].sign}
          </span>
          {kind !== 'same' && <span className="sr-only">{t(`ui.diff-${kind}`)} </span>}
          <span className="min-w-0 flex-1 break-all whitespace-pre-wrap">{text}</span>
        </div>
      ))}
    </section>
  );
}
