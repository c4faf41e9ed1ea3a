// Panel that tests the unsaved rule of the surrounding form against a message.
import { useFetcher } from '@remix-run/react';
import type { ExplainLine } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { useId, useRef, useState } from 'react';
import { toActionProblem, useProblemText } from '../../resource/write/use-problem-toast.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { ProblemAlert } from '../../ui/form/problem-alert.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { RequestView } from '../actions/request-view.tsx';
import { DecisionLog } from '../messages/decision-log.tsx';

/** A message offered for the test. */
export interface TestMessage {
  messageId: string;
  receivedAt: string;
  receiveSlotId: string;
  summary: string;
}

export interface RuleTestResult {
  test: {
    matched: boolean;
    lines: ExplainLine[];
    hrefs: Record<string, string>;
    held: { actionId: string; action: string; request: unknown }[];
  };
}

/** Names of the test inputs inside the rule form. */
export const testFields = { intent: 'intent', message: 'testMessageId', text: 'testText' } as const;

export function RuleTestPanel({ messages }: { messages: readonly TestMessage[] }) {
  const { t, language, timeZone } = useTranslation();
  const fetcher = useFetcher<RuleTestResult | { problem: unknown }>();
  const box = useRef<HTMLElement>(null);
  const id = useId();
  const [chosen, choose] = useState(messages[0]?.messageId ?? '');
  const [text, setText] = useState('');
  const formatProblem = useProblemText();
  const actionProblem = toActionProblem(fetcher.data);
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
            className={classNames(controlClass, 'h-8 w-full')}
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
              className={classNames(controlClass, 'max-h-80 min-h-24 resize-y py-1.5 font-mono text-xs')}
            />
          </label>
        )}
        <div>
          <Button icon="check" busy={busy} onClick={run}>
            {t('test.run')}
          </Button>
        </div>
      </div>
      <div aria-live="polite" className={classNames('grid gap-2', (actionProblem || result) && 'mt-3')}>
        {actionProblem && <ProblemAlert text={formatProblem(actionProblem)} errors={actionProblem.errors} />}
        {result && (
          <>
            <p
              className={classNames(
                'flex items-center gap-2 rounded-md px-3 py-2 text-sm font-medium',
                result.matched ? 'bg-success-bg text-success-fg' : 'bg-warning-bg text-warning-fg',
              )}
            >
              <Icon name={result.matched ? 'success' : 'warning'} />
              {t(result.matched ? 'test.matched' : 'test.unmatched')}
            </p>
            <DecisionLog lines={result.lines} hrefOf={(link) => result.hrefs[link.id]} />
            {result.held.map(({ action, request }, index) => (
              <details key={index} className="text-sm">
                <summary className="min-h-6 rounded-sm">{t('test.held', { action })}</summary>
                <RequestView request={request} />
              </details>
            ))}
          </>
        )}
      </div>
    </section>
  );
}
