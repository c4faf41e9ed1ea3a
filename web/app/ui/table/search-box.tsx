// Search box whose text is in the URL; a plain form without scripts, submitted while typing with them.
import { useLocation, useNavigate, useNavigationType, useSearchParams } from '@remix-run/react';
import { debounce } from '@yagura/core/live/debounce';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';

/** Marks the history entry that typing created: more typing replaces it, and Back returns to the entry before. */
interface TypedState {
  typedInto?: string;
}

/** `name` is the URL parameter, `search` by default. A new text returns to the first page. */
export function FilterBox(props: { name?: string; label?: string; placeholder?: string; error?: string }) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const { pathname, key, state } = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const name = props.name ?? 'search';
  const shown = params.get(name) ?? '';
  const input = useRef<HTMLInputElement>(null);
  const isFirst = useRef(true);
  const run = useRef(search);
  run.current = search;
  const [searchSoon] = useState(() => debounce((text: string) => run.current(text)));
  const isHistoryNavigation = navigationType === 'POP';
  const label = props.label ?? t('ui.search');

  useEffect(() => {
    if (!input.current) return;
    const isTypedBefore = isFirst.current && input.current.value !== shown;
    isFirst.current = false;
    // Text from before the scripts had loaded.
    if (isTypedBefore) searchSoon(input.current.value);
    else if (isHistoryNavigation || input.current !== document.activeElement) {
      searchSoon.cancel();
      input.current.value = shown;
    }
    // The key changes with every navigation, also with one that leaves the text as it is.
  }, [key, shown, isHistoryNavigation, searchSoon]);
  useEffect(() => searchSoon.cancel, [searchSoon]);

  function search(text: string) {
    searchSoon.cancel();
    if (text === shown) return;
    const next = new URLSearchParams(params);
    next.delete('page');
    if (text) next.set(name, text);
    else next.delete(name);
    const typed: TypedState = { typedInto: name };
    const isTypedBefore = (state as TypedState | null)?.typedInto === name;
    navigate(
      { pathname, search: `?${next}` },
      { replace: isTypedBefore, state: typed, preventScrollReset: true },
    );
  }

  return (
    <search>
      <form
        method="get"
        action={pathname}
        className="relative w-72 max-w-full"
        onSubmit={(event) => {
          event.preventDefault();
          search(input.current!.value);
        }}
      >
        {[...params].map(([key, value]) =>
          key === name || key === 'page' ? null : (
            <input key={`${key}=${value}`} type="hidden" name={key} value={value} />
          ),
        )}
        <Icon name="search" size={14} className="pointer-events-none absolute top-2.25 left-2.5 text-muted" />
        <input
          ref={input}
          type="search"
          name={name}
          defaultValue={shown}
          aria-label={label}
          placeholder={props.placeholder ?? label}
          maxLength={1000}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={props.error ? `${name}-error` : undefined}
          onChange={(event) => searchSoon(event.target.value)}
          className="h-8 w-full rounded-md border border-line-strong/60 bg-surface pr-8 pl-8 text-sm aria-invalid:border-danger [&::-webkit-search-cancel-button]:hidden"
        />
        {shown && (
          <IconButton
            icon="close"
            label={t('ui.clear')}
            className="absolute top-0.5 right-0.5"
            onClick={() => {
              input.current!.value = '';
              input.current!.focus();
              search('');
            }}
          />
        )}
        {props.error && (
          <p id={`${name}-error`} className="mt-1 text-xs text-danger-fg">
            {props.error}
          </p>
        )}
      </form>
    </search>
  );
}
