// Calls of a chain, grouped by loop.
import type { CallRecord } from '@yagura/core/pigeon/result';
import type { FieldMeta } from '@yagura/core/resource/field';
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
                <CallRow key={call.callId} call={call} {...parts} />
              ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function CallRow({ call, references, status }: { call: CallRecord } & CallContext) {
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
    </li>
  );
}
