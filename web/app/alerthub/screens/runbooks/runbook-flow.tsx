// Page that edits a runbook's graph as a canvas and as a list. Positions keep their exact digits.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Form as PlainForm, useLoaderData, useNavigation } from '@remix-run/react';
import { action as actionResource } from '@yagura/core/alerthub/action';
import {
  type RunbookGraph,
  runbook,
  runbookBranchCondition,
  runbookStepKinds,
} from '@yagura/core/alerthub/runbook';
import { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { useId, useRef } from 'react';
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
import { useUnsavedChanges } from '../../../ui/form/unsaved-changes.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { operators } from '../../flow/catalogue.server.ts';
import { RunbookFlowEditor } from '../../runbook/runbook-flow-editor.tsx';
import { fetchExactGraph } from './runbook-form.server.ts';

const max = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const runbookId = args.params.runbookId!;
  return withApi(args, async (api) => {
    const [shown, user, actions, scopes, operatorItems, conditions] = await Promise.all([
      fetchExactGraph(api, runbookId),
      getCurrentUser(api),
      api.client(actionResource).list({ limit: max, sort: 'displayName' }),
      api.client(scope).list({ limit: max, sort: 'displayName' }),
      operators(api),
      api.client(runbookBranchCondition).list({ limit: max }),
    ]);
    return {
      ...shown,
      mayEdit: resourcePermissions(user, runbook).edit,
      kinds: runbookStepKinds,
      choices: {
        actions: Object.fromEntries(actions.items.map((one) => [one.actionId, { name: one.displayName }])),
        scopes: Object.fromEntries(scopes.items.map((one) => [one.scopeId, { name: one.displayName }])),
        operators: operatorItems,
        conditions: conditions.items,
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
  const unsaved = useUnsavedChanges(form, actionProblem);
  useProblemToast(
    actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined,
  );
  const busy = useNavigation().state !== 'idle';
  return (
    <Panel title={t('runbook.flow')} padded>
      {actionProblem && <WriteAlert actionProblem={actionProblem} formId={formId} />}
      <PlainForm ref={form} id={formId} method="post" onSubmit={unsaved.onSubmit} className="grid gap-4">
        <input type="hidden" name={etagField} value={data.tag} />
        <RunbookFlowEditor
          key={data.tag}
          graph={data.graph as RunbookGraph}
          choices={data.choices}
          kinds={data.kinds}
          errors={actionProblem?.errors ?? {}}
          mayEdit={data.mayEdit}
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
