// Search box above a JSON value: Enter goes to the next hit, Shift+Enter to the previous one, Escape clears.
import type { KeyboardEvent } from 'react';
import { IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';
import { maxMatches } from './json-matches.ts';

/** The index of the current hit is zero-based; `onStep` gets 1 or -1 and is not called without hits. */
export function JsonSearch(props: {
  text: string;
  index: number;
  total: number;
  onText: (text: string) => void;
  onStep: (step: 1 | -1) => void;
}) {
  const { t } = useTranslation();
  const { text, total } = props;

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      event.preventDefault();
      props.onText('');
    }
    if (event.key !== 'Enter') return;
    // The value may be inside a form, which Enter must not submit.
    event.preventDefault();
    if (total > 0) props.onStep(event.shiftKey ? -1 : 1);
  }

  return (
    <search className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1 noscript:hidden print:hidden">
      <span className="relative w-56 max-w-full">
        <Icon name="search" size={14} className="pointer-events-none absolute top-1.75 left-2 text-muted" />
        <input
          type="search"
          value={text}
          aria-label={t('ui.json-search')}
          placeholder={t('ui.json-search')}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => props.onText(event.target.value)}
          onKeyDown={press}
          className="h-7 w-full rounded-md border border-line-strong/60 bg-surface pr-2 pl-7 text-sm [&::-webkit-search-cancel-button]:hidden"
        />
      </span>
      <IconButton
        icon="up"
        label={t('ui.previous-hit')}
        disabled={total === 0}
        onClick={() => props.onStep(-1)}
      />
      <IconButton
        icon="down"
        label={t('ui.next-hit')}
        disabled={total === 0}
        onClick={() => props.onStep(1)}
      />
      <span role="status" className="px-1 text-xs text-muted tabular-nums">
        {text !== '' &&
          (total === 0
            ? t('ui.no-match')
            : t('ui.hit-of', { at: props.index + 1, total: total >= maxMatches ? `${total}+` : total }))}
      </span>
    </search>
  );
}
