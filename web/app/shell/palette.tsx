// The command palette: every screen, what can be made, what was opened last, and a search of names; one combobox over a list.

import { useFetcher, useNavigate } from '@remix-run/react';
import { nounWithin } from '@yagura/core/format/noun';
import { debounceDelay } from '@yagura/core/live/debounce';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { classes } from '../ui/classes.ts';
import { useTranslation } from '../ui/words.tsx';
import { nounText } from './crumb.ts';
import type { loader as findLoader } from './find.ts';
import type { NavGroup } from './nav.server.ts';
import { type Line, matchLines } from './palette-match.ts';
import { readRecent } from './recent-places.ts';

export default function Palette({ groups, onClose }: { groups: NavGroup[]; onClose: () => void }) {
  const { t, language } = useTranslation();
  const navigate = useNavigate();
  const finder = useFetcher<typeof findLoader>();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const known = useKnownLines(groups);
  const found: Line[] =
    typed.trim() === ''
      ? []
      : (finder.data?.found ?? []).map(({ to, text, noun }) => ({
          to,
          text,
          kind: nounText(noun, language, 'one'),
        }));
  const lines = matchLines([...known, ...found], typed);
  const current = lines[Math.min(at, lines.length - 1)];

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (typed.trim() === '') return;
    const timer = setTimeout(
      () => finder.load(`/find?${new URLSearchParams({ text: typed })}`),
      debounceDelay,
    );
    return () => clearTimeout(timer);
    // The fetcher is the same one in every drawing.
  }, [typed]);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, id]);

  function open(line: Line | undefined) {
    if (!line) return;
    onClose();
    navigate(line.to);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const last = lines.length - 1;
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1 }[event.key];
    if (next !== undefined) setAt(next);
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
        aria-activedescendant={current ? `${id}-${lines.indexOf(current)}` : undefined}
        aria-autocomplete="list"
        aria-label={t('shell.palette')}
        placeholder={t('shell.palette-hint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
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
        {lines.map((line, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the combobox
          <div
            key={`${line.to} ${line.text}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={line === current}
            onClick={() => open(line)}
            className={classes(
              'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm',
              line === current ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{line.text}</span>
            <span className="shrink-0 text-xs text-muted">{line.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className={lines.length > 0 ? 'sr-only' : 'px-4 py-3 text-sm text-muted'}>
        {lines.length === 0
          ? t(finder.state === 'idle' ? 'ui.no-match' : 'text.loading')
          : t('shell.palette-count', { number: lines.length })}
      </p>
    </dialog>
  );
}

/** What needs no asking: the last places, every screen of the drawer and what can be made there. */
function useKnownLines(places: NavGroup[]): Line[] {
  const { t, language } = useTranslation();
  return useMemo(() => {
    const recent = readRecent(localStorage).map((place) => ({ ...place, kind: t('shell.recent') }));
    const screens = places.flatMap((group) =>
      group.entries.map(({ to, noun, one, labelKey }) => ({
        to,
        text: noun ? nounText(noun, language, one ? 'one' : 'many') : t(labelKey ?? ''),
        kind: t(group.labelKey),
      })),
    );
    const makers = places.flatMap((group) =>
      group.entries.flatMap(({ create, noun }) =>
        create && noun
          ? [
              {
                to: create,
                text: t('web.create-title', { noun: nounWithin(noun, language) }),
                kind: t(group.labelKey),
              },
            ]
          : [],
      ),
    );
    return [...recent, { to: '/', text: t('shell.home'), kind: '' }, ...screens, ...makers];
  }, [places, t, language]);
}
