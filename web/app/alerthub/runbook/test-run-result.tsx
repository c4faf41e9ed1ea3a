// Result of a runbook's test run: each step with what it would send and where it went on.
import { runbookRecordTones, runbookStepStatuses } from '@yagura/core/alerthub/runbook-record';
import { dataKey } from '@yagura/core/i18n/message-key';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { RequestView } from '../actions/request-view.tsx';
import type { TestRun, TestRunStep } from './test-run-form.ts';

export function TestRunResult({ run }: { run: TestRun }) {
  const { t, choiceLabel } = useTranslation();
  const succeeded = run.status === 'succeeded';
  return (
    <div className="grid grid-cols-1 gap-4">
      <p
        className={classNames(
          'flex items-center gap-2 rounded-md px-3 py-2 text-sm font-medium',
          succeeded ? 'bg-success-bg text-success-fg' : 'bg-danger-bg text-danger-fg',
        )}
      >
        <Icon name={succeeded ? 'success' : 'error'} />
        {succeeded ? t('runbook.test-succeeded') : t('runbook.test-failed', { reason: run.reason ?? '' })}
      </p>
      <ol aria-label={t('runbook.steps')} className="grid grid-cols-1 gap-3">
        {run.steps.map((step, index) => (
          <Step key={index} step={step} />
        ))}
      </ol>
      {run.events.length > 0 && (
        <section>
          <h3 className="text-sm font-semibold">{t('runbook.test-events')}</h3>
          <ul className="list-disc pl-5 text-sm">
            {run.events.map(({ scope, severityName, previousSeverity, severity, status }, index) => (
              <li key={index} className="wrap-anywhere">
                {t('runbook.test-event', {
                  ...{ scope, severityName, previousSeverity, severity },
                  status: choiceLabel(status),
                })}
              </li>
            ))}
          </ul>
        </section>
      )}
      {run.held.map((held, index) => (
        <HeldRequest key={index} {...held} />
      ))}
    </div>
  );
}

function Step({ step }: { step: TestRunStep }) {
  const { t } = useTranslation();
  return (
    <li className="grid grid-cols-1 gap-1 rounded-md border border-line p-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge value={step.status} options={runbookStepStatuses} tones={runbookRecordTones} />
        <strong className="min-w-0 wrap-anywhere">{step.name}</strong>
        <span className="text-muted">{t(dataKey(`value.${step.kind}`))}</span>
      </p>
      {step.explanations.map((text) => (
        <p key={text} className="wrap-anywhere">
          {text}
        </p>
      ))}
      {step.missing.length > 0 && (
        <p className="wrap-anywhere text-warning-fg">
          {t('label.missing')}: {step.missing.join(', ')}
        </p>
      )}
      {step.held && <HeldRequest {...step.held} />}
      <p className="text-muted">
        {step.next === null ? t('runbook.end') : t('runbook.test-next', { step: step.next })}
      </p>
    </li>
  );
}

function HeldRequest({ action, request }: { action: string; request: unknown }) {
  const { t } = useTranslation();
  return (
    <details className="text-sm" open>
      <summary className="min-h-6 rounded-sm">{t('test.held', { action })}</summary>
      <RequestView request={request} />
    </details>
  );
}
