// Page that runs a runbook as a test: the user chooses a message and the results of the actions, and sees each step.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { runbook } from '@yagura/core/alerthub/runbook';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { useId, useState } from 'react';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { toActionProblem, useProblemText } from '../../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser } from '../../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { controlClass } from '../../../ui/field/field-frame.tsx';
import { ProblemAlert } from '../../../ui/form/problem-alert.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { listTestMessages } from '../../rule-test/rule-test.server.ts';
import { listActionSteps, runTest } from '../../runbook/test-run.server.ts';
import {
  noMessage,
  pastedMessage,
  type TestActionStep,
  type TestOutcome,
  type TestRun,
  testOutcomes,
  testRunFields,
} from '../../runbook/test-run-form.ts';
import { TestRunResult } from '../../runbook/test-run-result.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [{ permissions }, { steps }, messages] = await Promise.all([
      getCurrentUser(api),
      api.client(runbook).show(args.params.runbookId!),
      listTestMessages(api),
    ]);
    if (!can(permissions, permissionFor(runbook, 'rehearse'))) throw new Problem('forbidden');
    return { messages, hasSteps: steps.length > 0, actionSteps: listActionSteps(steps) };
  });
}

/** The page keeps what was entered while others change the runbook. */
export const shouldRevalidate = () => false;

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const { language } = preferencesOf(args.request);
  return withApi(args, async (api): Promise<{ run: TestRun } | ReturnType<typeof toProblemResponse>> => {
    try {
      return { run: await runTest(api, args.params.runbookId!, form, await loadTranslator(language)) };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function RunbookTestRun() {
  const { messages, hasSteps, actionSteps } = useLoaderData<typeof loader>();
  const { t, language, timeZone } = useTranslation();
  const fetcher = useFetcher<{ run: TestRun } | { problem: unknown }>();
  const formatProblem = useProblemText();
  const id = useId();
  const [chosen, choose] = useState(messages[0]?.messageId ?? noMessage);
  const actionProblem = toActionProblem(fetcher.data);
  const run = fetcher.data && 'run' in fetcher.data ? fetcher.data.run : undefined;
  if (!hasSteps) return <Placeholder kind="empty" title={t('runbook.no-steps')} />;
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <Panel title={t('runbook.test')} padded>
        <fetcher.Form method="post" className="grid grid-cols-1 gap-3">
          <p className="text-sm text-muted">{t('runbook.test-hint')}</p>
          <label className="grid grid-cols-1 gap-1 text-sm" htmlFor={`${id}-message`}>
            {t('test.message')}
            <select
              id={`${id}-message`}
              name={testRunFields.message}
              value={chosen}
              onChange={(event) => choose(event.target.value)}
              className={classNames(controlClass, 'h-8 w-full')}
            >
              {messages.map(({ messageId, receivedAt, summary }) => (
                <option key={messageId} value={messageId}>
                  {`${formatDateTimeSeconds(receivedAt, { language, timeZone })}  ${summary}`}
                </option>
              ))}
              <option value={pastedMessage}>{t('test.paste')}</option>
              <option value={noMessage}>{t('runbook.test-no-message')}</option>
            </select>
          </label>
          {chosen === pastedMessage && (
            <label className="grid grid-cols-1 gap-1 text-sm" htmlFor={`${id}-text`}>
              {t('test.text')}
              <textarea
                id={`${id}-text`}
                name={testRunFields.text}
                rows={5}
                spellCheck={false}
                className={classNames(controlClass, 'max-h-80 min-h-24 resize-y py-1.5 font-mono text-xs')}
              />
            </label>
          )}
          {actionSteps.map((step) => (
            <ActionResult key={step.stepId} step={step} />
          ))}
          <div>
            <Button type="submit" variant="primary" busy={fetcher.state !== 'idle'}>
              {t('runbook.test-start')}
            </Button>
          </div>
        </fetcher.Form>
      </Panel>
      <div aria-live="polite">
        {actionProblem && <ProblemAlert text={formatProblem(actionProblem)} errors={actionProblem.errors} />}
        {run && (
          <Panel title={t('runbook.test-result')} padded>
            <TestRunResult run={run} />
          </Panel>
        )}
      </div>
    </div>
  );
}

/** The result that the test assumes for the action of a step. */
function ActionResult({ step: { stepId, name, waits } }: { step: TestActionStep }) {
  const { t } = useTranslation();
  const id = useId();
  const [outcome, setOutcome] = useState<TestOutcome>('succeeded');
  const outcomes = testOutcomes.filter((one) => waits || one !== 'timedOut');
  return (
    <fieldset className="grid grid-cols-1 gap-2 rounded-md border border-line p-3">
      <legend className="px-1 text-sm font-medium wrap-anywhere">{name}</legend>
      <label className="grid grid-cols-1 gap-1 text-sm" htmlFor={`${id}-outcome`}>
        {t('runbook.test-outcome')}
        <select
          id={`${id}-outcome`}
          name={testRunFields.outcome(stepId)}
          value={outcome}
          onChange={(event) => setOutcome(event.target.value as TestOutcome)}
          className={classNames(controlClass, 'h-8 w-full')}
        >
          {outcomes.map((one) => (
            <option key={one} value={one}>
              {t(`runbook.test-outcome-${one}`)}
            </option>
          ))}
        </select>
      </label>
      {waits && outcome === 'succeeded' && (
        <>
          <label className="grid grid-cols-1 gap-1 text-sm" htmlFor={`${id}-status`}>
            {t('label.statusCode')}
            <input
              id={`${id}-status`}
              name={testRunFields.statusCode(stepId)}
              type="number"
              min={100}
              max={599}
              required
              defaultValue={200}
              className={classNames(controlClass, 'h-8 w-28')}
            />
          </label>
          <label className="grid grid-cols-1 gap-1 text-sm" htmlFor={`${id}-body`}>
            {t('runbook.test-body')}
            <textarea
              id={`${id}-body`}
              name={testRunFields.body(stepId)}
              rows={2}
              spellCheck={false}
              className={classNames(controlClass, 'max-h-80 resize-y py-1.5 font-mono text-xs')}
            />
          </label>
        </>
      )}
    </fieldset>
  );
}
