// The text log of a session with search.
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { saveBlob } from '../../ui/save-blob.ts';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';

/** Lines that are shown at once. */
const pageLines = 1000;

export function TextLog({ sessionId, text }: { sessionId: string; text: string }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const [from, setFrom] = useState(0);
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  const shown = useMemo(() => {
    const wanted = query.toLowerCase();
    return wanted === '' ? lines : lines.filter((line) => line.toLowerCase().includes(wanted));
  }, [lines, query]);
  const to = Math.min(from + pageLines, shown.length);
  return (
    <div className="grid gap-2 text-sm">
      <search>
        <input
          type="search"
          aria-label={t('recording.search')}
          placeholder={t('recording.search')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setFrom(0);
          }}
          className={`${controlClass} h-8`}
        />
      </search>
      <p role="status" className="text-xs text-muted">
        {query === ''
          ? t('recording.lines', { from: Math.min(from + 1, to), to, total: shown.length })
          : t('recording.matches', { count: shown.length })}
      </p>
      <ScrollableText className="max-h-[60dvh] border border-line p-2">
        {shown.slice(from, to).join('\n')}
      </ScrollableText>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => saveBlob(`session-${sessionId}.txt`, new Blob([text], { type: 'text/plain' }))}
        >
          {t('recording.download-text')}
        </Button>
        {shown.length > pageLines && (
          <>
            <Button disabled={from === 0} onClick={() => setFrom(Math.max(0, from - pageLines))}>
              {t('recording.earlier')}
            </Button>
            <Button disabled={to >= shown.length} onClick={() => setFrom(from + pageLines)}>
              {t('recording.later')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
