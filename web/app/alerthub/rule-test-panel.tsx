// Tests the rule of the form around it against a message, before it is saved.
import { useFetcher } from '@remix-run/react';
import type { ExplainLine } from '@yagura/core/alerthub/decide/explain';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { useId, useRef, useState } from 'react';
import { asRefusal, useRefusalText } from '../resource/use-refusal-toast.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { controlClass } from '../ui/field-frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { useTranslation } from '../ui/words.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import { WhyPanel } from './why-panel.tsx';

/** A message that may be chosen. */
export interface TestMessage {
  messageId: string;
  receivedAt: string;
  receiveSlotId: string;
  summary: string;
}

export interface RuleTestReply {
  test: {
    matched: boolean;
    lines: ExplainLine[];
    hrefs: Record<string, string>;
    held: { actionId: string; action: string; request: unknown }[];
  };
}

/** Names of the fields that travel beside those of the rule. */
export const testFields = { intent: 'intent', message: 'testMessageId', text: 'testText' } as const;

export function RuleTestPanel({ messages }: { messages: readonly TestMessage[] }) {
  const { t, language, timeZone } = useTranslation();
  const fetcher = useFetcher<RuleTestReply | { problem: unknown }>();
  const box = useRef<HTMLElement>(null);
  const id = useId();
  const [chosen, choose] = useState(messages[0]?.messageId ?? '');
  const [text, setText] = useState('');
  const tell = useRefusalText();
  const refusal = asRefusal(fetcher.data);
  const result = fetcher.data && 'test' in fetcher.data ? fetcher.data.test : undefined;
  const busy = fetcher.state !== 'idle';

  function run() {
    const form = box.current?.closest('form');
    if (!form) return;
    const data = new FormData(form);
    data.set(testFields.intent, 'test');
    data.set(testFields.message, chosen);
    data.set(testFields.text, text);
    fetcher.submit(data, { method: 'post' });
  }

  return (
    <section
      ref={box}
      aria-labelledby={`${id}-title`}
      className="rounded-md border border-line bg-surface-sunken p-3"
    >
      <h2 id={`${id}-title`} className="font-semibold">
        {t('test.title')}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t('test.hint')}</p>
      <div className="mt-2 grid gap-2">
        <label className="grid gap-1 text-sm" htmlFor={`${id}-message`}>
          {t('test.message')}
          <select
            id={`${id}-message`}
            value={chosen}
            onChange={(event) => choose(event.target.value)}
            className={classes(controlClass, 'h-8 w-full')}
          >
            {messages.map(({ messageId, receivedAt, summary }) => (
              <option key={messageId} value={messageId}>
                {`${formatDateTimeSeconds(receivedAt, { language, timeZone })}  ${summary}`}
              </option>
            ))}
            <option value="">{t('test.paste')}</option>
          </select>
        </label>
        {chosen === '' && (
          <label className="grid gap-1 text-sm" htmlFor={`${id}-text`}>
            {t('test.text')}
            <textarea
              id={`${id}-text`}
              value={text}
              rows={5}
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
              className={classes(controlClass, 'max-h-80 min-h-24 resize-y py-1.5 font-mono text-xs')}
            />
          </label>
        )}
        <div>
          <Button icon="check" busy={busy} onClick={run}>
            {t('test.run')}
          </Button>
        </div>
      </div>
      <div aria-live="polite" className={classes('grid gap-2', (refusal || result) && 'mt-3')}>
        {refusal && <RefusalAlert text={tell(refusal)} errors={refusal.errors} />}
        {result && (
          <>
            <p
              className={classes(
                'flex items-center gap-2 rounded-md px-3 py-2 text-sm font-medium',
                result.matched ? 'bg-success-bg text-success-fg' : 'bg-warning-bg text-warning-fg',
              )}
            >
              <Icon name={result.matched ? 'success' : 'warning'} />
              {t(result.matched ? 'test.matched' : 'test.unmatched')}
            </p>
            <WhyPanel lines={result.lines} hrefOf={(link) => result.hrefs[link.id]} />
            {result.held.map(({ action, request }, place) => (
              <details key={place} className="text-sm">
                <summary className="min-h-6 rounded-sm">{t('test.held', { action })}</summary>
                <JsonView value={request} />
              </details>
            ))}
          </>
        )}
      </div>
    </section>
  );
}
