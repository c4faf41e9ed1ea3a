// Calls of a chain, grouped by loop.
import { scriptLines } from '@yagura/core/pigeon/call-script';
import type { CallRecord } from '@yagura/core/pigeon/result';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { Placeholder } from '../ui/page/placeholder.tsx';
import type { References } from '../ui/references.ts';
import { StatusBadge } from '../ui/text/status-badge.tsx';
import { Time } from '../ui/text/time.tsx';
import { useTranslation } from '../ui/translation.tsx';

interface CallContext {
  references: References;
  /** Metadata of the call status field. */
  status: FieldMeta;
}

export function CallTimeline({ calls, ...parts }: { calls: CallRecord[] } & CallContext) {
  const { t } = useTranslation();
  if (calls.length === 0) return <Placeholder title={t('pigeon.no-calls')} />;
  const loops = [...new Set(calls.map((call) => call.loop))];
  return (
    <ol aria-live="polite" className="grid gap-4">
      {loops.map((loop) => (
        <li key={loop}>
          <h3 className="mb-1 text-sm font-medium text-muted">{t('pigeon.loop', { number: loop })}</h3>
          <ol className="grid gap-2 border-l-2 border-line pl-3">
            {calls
              .filter((call) => call.loop === loop)
              .map((call) => (
                <CallRow key={call.callId} call={call} isLast={call === calls.at(-1)} {...parts} />
              ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function CallRow({ call, references, status, isLast }: { call: CallRecord; isLast: boolean } & CallContext) {
  const { t, choiceLabel: word } = useTranslation();
  const { contactId, displayName } = call.contact;
  const name = (contactId && references.contact?.[contactId]?.name) || displayName || t('pigeon.unnamed');
  return (
    <li className="grid gap-0.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge value={call.status} tones={status.tones} options={status.options} />
        <span className="font-medium">{name}</span>
        <span className="text-muted tabular-nums">{call.phoneNumber}</span>
        {call.keyInput && (
          <kbd className="rounded border border-line px-1.5 font-mono text-xs" title={t('label.keyInput')}>
            {call.keyInput}
          </kbd>
        )}
        {call.behavior && <span>{word(call.behavior)}</span>}
        {call.transfer && <span className="text-muted">{t('pigeon.call-back')}</span>}
      </div>
      <div className="flex flex-wrap gap-x-3 text-xs text-muted">
        <Time value={call.startedAt} age={false} />
        {call.reason && <span>{word(call.reason)}</span>}
        {call.readings > 0 && <span>{t('pigeon.read-times', { count: call.readings })}</span>}
      </div>
      <CallScript call={call} isOpen={isLast} />
    </li>
  );
}

function CallScript({ call, isOpen }: { call: CallRecord; isOpen: boolean }) {
  const { t } = useTranslation();
  // The user's choice is kept when the next call begins.
  const [initiallyOpen] = useState(isOpen);
  const lines = scriptLines(call, t);
  if (lines.length === 0) return <p className="text-xs text-muted">{t('pigeon.script-empty')}</p>;
  return (
    <details open={initiallyOpen} className="text-xs [--turn:0deg] open:[--turn:90deg]">
      <summary className="inline-flex min-h-6 items-center gap-1 rounded-sm text-muted hover:text-text">
        <Icon name="right" size={13} className="rotate-(--turn)" />
        {t('pigeon.script')}
      </summary>
      <ol className="mt-1 grid gap-0.5">
        {lines.map(({ at, elapsed, text, detail }, index) => (
          <li key={index} className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-2">
            <time dateTime={at} className="text-right text-muted tabular-nums">
              <span aria-hidden>{elapsed}</span>
              <span className="sr-only">{t('pigeon.script.elapsed', { time: elapsed })}</span>
            </time>
            <span className="break-words">
              {text}
              {detail && <span className="ml-2 text-muted">{detail}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
