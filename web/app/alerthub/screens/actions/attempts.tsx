// Attempts of a delivery, newest first. Their reasons use the message keys `why.*` and `delivery.*`.

import type { Attempt } from '@yagura/core/alerthub/action-record';
import { formatDuration } from '@yagura/core/format/duration';
import { storedKey } from '@yagura/core/i18n/message-key';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { ScrollableText } from '../../../ui/text/scrollable-text.tsx';
import { StatusBadge } from '../../../ui/text/status-badge.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

const tones = { succeeded: 'success', failed: 'danger' } as const;

export function Attempts({ attempts }: { attempts: Attempt[] }) {
  const { t } = useTranslation();
  if (attempts.length === 0) return <Placeholder title={t('page.no-attempts')} />;
  return (
    <ol reversed className="divide-y divide-line">
      {[...attempts].reverse().map((attempt) => {
        const seconds = (Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt)) / 1000;
        return (
          <li key={attempt.number} className="grid gap-1 px-4 py-2.5 text-sm">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="w-5 text-right text-muted tabular-nums">{attempt.number}</span>
              <StatusBadge value={attempt.outcome} tones={tones} />
              {attempt.statusCode !== null && <code className="font-mono text-xs">{attempt.statusCode}</code>}
              <Time value={attempt.startedAt} />
              <span className="ml-auto text-xs text-muted tabular-nums">
                {seconds < 1 ? `${Math.round(seconds * 1000)} ms` : formatDuration(Math.round(seconds), t)}
              </span>
            </div>
            <p className="pl-8">{t(storedKey(attempt.reason.word), attempt.reason.params)}</p>
            {attempt.reply && (
              <ScrollableText
                title={t('page.reply')}
                className="ml-8 max-h-40 px-2 py-1.5 break-all whitespace-pre-wrap"
              >
                {attempt.reply}
              </ScrollableText>
            )}
          </li>
        );
      })}
    </ol>
  );
}
