// Searches in the screen and the scrollback of the terminal.
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export function SearchBar(props: {
  onSearch(text: string, direction: 'next' | 'previous'): boolean;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const search = (direction: 'next' | 'previous') => setFound(text === '' || props.onSearch(text, direction));
  return (
    <search className="flex items-center gap-1 border-b border-line bg-surface px-2 py-1 text-xs">
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the search to type here
        autoFocus
        type="search"
        aria-label={t('terminal.search')}
        placeholder={t('terminal.search')}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFound(true);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') search(event.shiftKey ? 'next' : 'previous');
          if (event.key === 'Escape') props.onClose();
        }}
        className={`${controlClass} h-7 min-w-0 flex-1`}
      />
      <span role="status" className="text-muted">
        {isFound ? '' : t('terminal.search-none')}
      </span>
      <IconButton icon="up" label={t('terminal.search-previous')} onClick={() => search('previous')} />
      <IconButton icon="down" label={t('terminal.search-next')} onClick={() => search('next')} />
      <IconButton icon="close" label={t('terminal.search-close')} onClick={props.onClose} />
    </search>
  );
}
