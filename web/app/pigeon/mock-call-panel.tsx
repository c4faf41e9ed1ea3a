// A call of the mock phone: its state, what can be done with it, and what was heard.
import { Link, useFetcher } from '@remix-run/react';
import type { MockCall, PhoneAction } from '@yagura/core/pigeon/mock-phone';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { StatusBadge } from '../ui/text/status-badge.tsx';
import { Time } from '../ui/text/time.tsx';
import { useTranslation } from '../ui/translation.tsx';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

export function MockCallPanel(props: { call: MockCall; status: FieldMeta; mayUse: boolean }) {
  const { call, status, mayUse } = props;
  const { t, fieldLabel } = useTranslation();
  return (
    <Panel
      title={t('pigeon.phone.call-of', { number: call.phoneNumber })}
      note={<StatusBadge value={call.status} tones={status.tones} options={status.options} />}
      padded
    >
      <div className="grid gap-3 text-sm">
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-muted">
          <span>{t('pigeon.phone.from', { number: call.callerNumber })}</span>
          <Time value={call.startedAt} />
          <Link
            to={`/apps/pigeon/results/${encodeURIComponent(call.resultId)}`}
            className="text-primary hover:underline"
          >
            {fieldLabel('resultId')}
          </Link>
        </p>
        {mayUse && <CallButtons call={call} />}
        {call.keys !== '' && <p className="text-muted">{t('pigeon.phone.pressed', { keys: call.keys })}</p>}
        {call.answeredAt !== null && <HeardPlayer mockCallId={call.mockCallId} />}
      </div>
    </Panel>
  );
}

function CallButtons({ call: { mockCallId, status } }: { call: MockCall }) {
  const { t, choiceLabel } = useTranslation();
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  const disabled = fetcher.state === 'submitting';
  const act = (action: PhoneAction, key = '') =>
    fetcher.submit({ mockCallId, action, key }, { method: 'post', action: '/apps/devtool/phone' });
  if (status === 'ringing')
    return (
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={disabled} onClick={() => act('answer')}>
          {choiceLabel('answer')}
        </Button>
        <Button disabled={disabled} onClick={() => act('busy')}>
          {choiceLabel('busy')}
        </Button>
        <Button disabled={disabled} onClick={() => act('decline')}>
          {choiceLabel('decline')}
        </Button>
      </div>
    );
  if (status !== 'answered') return null;
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: the buttons are no fields of a form */}
      <div role="group" aria-label={t('pigeon.phone.keypad')} className="grid w-fit grid-cols-3 gap-1.5">
        {keys.map((key) => (
          <Button
            key={key}
            disabled={disabled}
            aria-label={t('pigeon.phone.key', { key })}
            className="w-14 font-mono"
            onClick={() => act('press', key)}
          >
            {key}
          </Button>
        ))}
      </div>
      <div>
        <Button variant="danger" disabled={disabled} onClick={() => act('hangUp')}>
          {choiceLabel('hangUp')}
        </Button>
      </div>
    </div>
  );
}

/** Loads the audio anew each time, because it grows during the call. */
function HeardPlayer({ mockCallId }: { mockCallId: string }) {
  const { t } = useTranslation();
  const [loads, setLoads] = useState(0);
  const query = new URLSearchParams({ mockCallId, load: String(loads) });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={() => setLoads(loads + 1)}>{t('pigeon.phone.listen')}</Button>
      {loads > 0 && (
        // biome-ignore lint/a11y/useMediaCaption: the script of the call result has the text
        <audio
          controls
          autoPlay
          src={`/apps/devtool/phone/heard?${query}`}
          aria-label={t('pigeon.phone.heard')}
          className="h-8 max-w-full"
        />
      )}
    </div>
  );
}
