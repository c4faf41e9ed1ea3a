// Command palette: pages, create forms, recent items and search by name, as a combobox with a list.

import { useFetcher, useNavigate } from '@remix-run/react';
import { debounceDelayMs } from '@yagura/core/live/debounce';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useModal } from '../../ui/overlay/use-modal.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { formatNoun } from '../navigation/crumb.ts';
import type { NavGroup } from '../navigation/nav.server.ts';
import type { loader as findLoader } from './find.ts';
import { matchEntries, type PaletteEntry } from './match-lines.ts';
import { readRecentPages } from './recent-pages.ts';

export default function CommandPalette({ groups, onClose }: { groups: NavGroup[]; onClose: () => void }) {
  const { t, language } = useTranslation();
  const navigate = useNavigate();
  const searchFetcher = useFetcher<typeof findLoader>();
  const dialog = useRef<HTMLDialogElement>(null);
  const [inputValue, setInputValue] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const id = useId();
  const staticEntries = useStaticEntries(groups);
  const found: PaletteEntry[] =
    inputValue.trim() === ''
      ? []
      : (searchFetcher.data?.found ?? []).map(({ to, text, noun }) => ({
          to,
          text,
          kind: formatNoun(noun, language, 'one'),
        }));
  const more =
    searchFetcher.data && searchFetcher.data.text === inputValue.trim() ? searchFetcher.data.more : [];
  const entries = [
    ...matchEntries([...staticEntries, ...found], inputValue),
    // They are no items with a name that could match.
    ...more.map(({ to, total, totalIsLeast, noun }): PaletteEntry => {
      const number = `${total.toLocaleString(language)}${totalIsLeast ? '+' : ''}`;
      return { to, text: t('shell.palette-count', { number }), kind: formatNoun(noun, language, 'many') };
    }),
  ];
  const current = entries[Math.min(activeIndex, entries.length - 1)];

  useModal(dialog);
  useEffect(() => {
    if (inputValue.trim() === '') return;
    const timer = setTimeout(
      () => searchFetcher.load(`/find?${new URLSearchParams({ text: inputValue })}`),
      debounceDelayMs,
    );
    return () => clearTimeout(timer);
    // The fetcher is stable across renders.
  }, [inputValue]);
  useEffect(() => {
    document.getElementById(`${id}-${activeIndex}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex, id]);

  function open(entry: PaletteEntry | undefined) {
    if (!entry) return;
    onClose();
    navigate(entry.to);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const last = entries.length - 1;
    const next = {
      ArrowDown: activeIndex >= last ? 0 : activeIndex + 1,
      ArrowUp: activeIndex <= 0 ? last : activeIndex - 1,
    }[event.key];
    if (next !== undefined) setActiveIndex(next);
    else if (event.key === 'Enter') open(current);
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      aria-label={t('shell.palette')}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="mt-[10vh] w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-lg border border-line bg-surface-raised p-0 shadow-float"
    >
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={current ? `${id}-${entries.indexOf(current)}` : undefined}
        aria-autocomplete="list"
        aria-label={t('shell.palette')}
        placeholder={t('shell.palette-hint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={inputValue}
        onChange={(event) => {
          setInputValue(event.target.value);
          setActiveIndex(0);
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base -outline-offset-2"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        tabIndex={-1}
        aria-label={t('shell.palette')}
        className="max-h-[60vh] overflow-y-auto p-1"
      >
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the combobox
          <div
            key={`${entry.to} ${entry.text}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={entry === current}
            onClick={() => open(entry)}
            className={classNames(
              'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm',
              entry === current ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{entry.text}</span>
            <span className="shrink-0 text-xs text-muted">{entry.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className={entries.length > 0 ? 'sr-only' : 'px-4 py-3 text-sm text-muted'}>
        {entries.length === 0
          ? t(searchFetcher.state === 'idle' ? 'ui.no-match' : 'text.loading')
          : t('shell.palette-count', { number: entries.length })}
      </p>
    </dialog>
  );
}

/** Lines known without a request: recent items, and the drawer's pages and create forms. */
function useStaticEntries(groups: NavGroup[]): PaletteEntry[] {
  const { t, language } = useTranslation();
  return useMemo(() => {
    const recent = readRecentPages(localStorage).map((page) => ({ ...page, kind: t('shell.recent') }));
    const screens = groups.flatMap((group) =>
      group.entries.map(({ to, noun, one, labelKey }) => ({
        to,
        text: noun ? formatNoun(noun, language, one ? 'one' : 'many') : labelKey ? t(labelKey) : '',
        kind: t(group.labelKey),
      })),
    );
    const createEntries = groups.flatMap((group) =>
      group.entries.flatMap(({ createPath, noun }) =>
        createPath && noun
          ? [
              {
                to: createPath,
                text: t('web.create-title', { noun: resourceNoun(noun, language) }),
                kind: t(group.labelKey),
              },
            ]
          : [],
      ),
    );
    return [...recent, { to: '/', text: t('shell.home'), kind: '' }, ...screens, ...createEntries];
  }, [groups, t, language]);
}
