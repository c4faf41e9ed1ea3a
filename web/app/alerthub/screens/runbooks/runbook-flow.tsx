// Page that edits a runbook's graph as a canvas and as a list. Positions keep their exact digits.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Form as PlainForm, useLoaderData, useNavigation } from '@remix-run/react';
import {
  type RunbookGraph,
  runbook,
  runbookBranchCondition,
  runbookStepKinds,
} from '@yagura/core/alerthub/runbook';
import { Problem } from '@yagura/core/http/problem';
import { inputFields } from '@yagura/core/resource/define-resource';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { referenceOptions } from '../../../resource/form/form-references.server.ts';
import { etagField } from '../../../resource/write/hidden-field.ts';
import { toActionProblem, useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import {
  redirectWithNotice,
  replacedVersion,
  toProblemResponse,
} from '../../../resource/write/write.server.ts';
import { WriteAlert } from '../../../resource/write/write-alert.tsx';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { revalidateAfterOwnWrite } from '../../../shell/live/revalidate-after-write.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Button } from '../../../ui/button.tsx';
import { focusFirstField } from '../../../ui/field/focus-field.ts';
import type { FormErrors } from '../../../ui/field/form-errors.ts';
import { validationMessages } from '../../../ui/field/validation-messages.ts';
import { useUnsavedChanges } from '../../../ui/form/unsaved-changes.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { operators } from '../../flow/catalogue.server.ts';
import { isErrorOfStep } from '../../runbook/runbook-faults.ts';
import { RunbookFlowEditor } from '../../runbook/runbook-flow-editor.tsx';
import { fetchExactGraph } from './runbook-form.server.ts';

/** Larger than the catalogue. */
const maxConditions = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const runbookId = args.params.runbookId!;
  return withApi(args, async (api) => {
    const [{ references, ...shown }, user, operatorItems, conditions] = await Promise.all([
      fetchExactGraph(api, runbookId).then(async ({ graph, tag }) => ({
        graph,
        tag,
        references: await referenceOptions(api, runbook, graph),
      })),
      getCurrentUser(api),
      operators(api),
      api.client(runbookBranchCondition).list({ limit: maxConditions }),
    ]);
    const attributes = inputFields(runbook).steps?.item?.fields?.params?.fields?.attributes;
    return {
      ...shown,
      mayEdit: resourcePermissions(user, runbook).edit,
      kinds: runbookStepKinds,
      choices: {
        actions: references.action ?? {},
        scopes: references.scope ?? {},
        operators: operatorItems,
        conditions: conditions.items,
        attributeField: { operators: attributes?.item?.fields?.op?.options ?? [], max: attributes?.max },
      },
    };
  });
}

export const shouldRevalidate = revalidateAfterOwnWrite;

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const runbookId = args.params.runbookId!;
  const given = String(form.get('graph') ?? '');
  return withApi(args, async (api) => {
    try {
      const graph = JSON.parse(given) as RunbookGraph;
      await api
        .client(runbook)
        .edit(
          runbookId,
          { startStepId: graph.startStepId, steps: graph.steps },
          {},
          { ifMatch: replacedVersion(form) },
        );
      return redirectWithNotice(`/apps/alerthub/runbooks/${encodeURIComponent(runbookId)}/flow`, 'saved');
    } catch (error) {
      return toProblemResponse(error instanceof SyntaxError ? new Problem('invalid') : error, {});
    }
  });
}

export default function RunbookFlow() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const actionProblem = toActionProblem(useActionResult());
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  // Controls of the selected step come and go with the selection; the graph is what is saved.
  const unsaved = useUnsavedChanges(form, actionProblem, 'graph');
  // Kept while a saved version replaces the editor.
  const openStepId = useRef<string | null>(null);
  const [clientErrors, setClientErrors] = useState<FormErrors>({});
  const hasFieldErrors = actionProblem !== undefined && Object.keys(actionProblem.errors).length > 0;
  useProblemToast(hasFieldErrors ? undefined : actionProblem);
  const busy = useNavigation().state !== 'idle';
  useEffect(() => setClientErrors({}), [actionProblem]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const reasons = validationMessages(event.currentTarget, t);
    const isInvalid = Object.keys(reasons).length > 0;
    if (busy || isInvalid) event.preventDefault();
    else unsaved.onSubmit();
    setClientErrors(reasons);
    if (isInvalid) focusFirstField(event.currentTarget, Object.keys(reasons));
  }

  return (
    <Panel title={t('runbook.flow')} padded>
      {actionProblem && !Object.keys(actionProblem.errors).some(isErrorOfStep) && (
        <WriteAlert actionProblem={actionProblem} formId={formId} />
      )}
      <PlainForm
        ref={form}
        id={formId}
        method="post"
        noValidate
        onSubmit={onSubmit}
        onInput={() => setClientErrors({})}
        className="grid gap-4"
      >
        <input type="hidden" name={etagField} value={data.tag} />
        <RunbookFlowEditor
          key={data.tag}
          graph={data.graph as RunbookGraph}
          choices={data.choices}
          kinds={data.kinds}
          errors={actionProblem?.errors}
          clientErrors={clientErrors}
          mayEdit={data.mayEdit}
          openStepId={openStepId.current}
          onOpen={(stepId) => {
            openStepId.current = stepId;
          }}
        />
        {data.mayEdit && (
          <div>
            <Button type="submit" variant="primary" busy={busy}>
              {t('verb.save')}
            </Button>
          </div>
        )}
      </PlainForm>
      {unsaved.prompt}
    </Panel>
  );
}
