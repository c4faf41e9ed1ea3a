// Settings of a scope: its fields, its named severities and its attributes; forms for those who may change them.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { attribute, scope, severity } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { inputFields, itemFields } from '@yagura/core/resource/define-resource';
import { useId } from 'react';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { showWithETag } from '../../../resource/item/item-data.server.ts';
import { miniData } from '../../../resource/list/mini-data.server.ts';
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
import { readForm } from '../../../ui/field/form-data.ts';
import { Form } from '../../../ui/form/form.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { InfoTable } from '../../../ui/table/info-table.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { handleReplay, isReplayRequest } from '../../replay/replay.server.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';
import { NamedItemList } from './named-values.tsx';

const max = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const pathParams = { scopeId: args.params.scopeId! };
  return withApi(args, async (api) => {
    const [{ item, tag }, user, severities, attributes] = await Promise.all([
      showWithETag(api, scope, pathParams.scopeId, pathParams),
      getCurrentUser(api),
      miniData(api, severity, { sort: 'name', limit: max }, pathParams),
      miniData(api, attribute, { sort: 'name', limit: max }, pathParams),
    ]);
    const ofSeverities = resourcePermissions(user, severity);
    const ofAttributes = resourcePermissions(user, attribute);
    return {
      fields: inputFields(scope),
      values: item as Record<string, unknown>,
      tag: tag ?? '',
      severities,
      attributes,
      mayEdit: resourcePermissions(user, scope).edit,
      severityPermissions: { add: ofSeverities.create, remove: ofSeverities.remove },
      attributePermissions: { add: ofAttributes.edit, remove: ofAttributes.remove },
      severityForm: inputFields(severity),
      attributeForm: { name: itemFields(attribute).name!, ...inputFields(attribute) },
    };
  });
}

export const shouldRevalidate = revalidateAfterOwnWrite;

/** Saves the part of the settings named by the intent. */
export async function action(args: ActionFunctionArgs) {
  const pathParams = { scopeId: args.params.scopeId! };
  if (await isReplayRequest(args.request))
    return handleReplay(args, scope, { kind: 'scope', id: pathParams.scopeId, scopeId: null });
  rejectCrossSiteRequest(args.request, args.context);
  const here = `/apps/alerthub/scopes/${encodeURIComponent(pathParams.scopeId)}`;
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  const intent = text('intent');
  return withApi(args, async (api) => {
    const values = readForm(form, inputFields(scope));
    try {
      switch (intent) {
        case 'add-severity':
          await api.client(severity).create({ name: text('name') }, pathParams);
          return redirectWithNotice(`${here}/settings`, 'saved');
        case 'remove-severity':
          await api.client(severity).remove(text('id'), pathParams);
          return redirectWithNotice(`${here}/settings`, 'deleted');
        case 'set-attribute':
          if (!text('name').trim()) throw await missingNameProblem(args.request);
          await api.client(attribute).edit(text('name').trim(), { value: text('value') }, pathParams);
          return redirectWithNotice(`${here}/settings`, 'saved');
        case 'remove-attribute':
          await api.client(attribute).remove(text('id'), pathParams);
          return redirectWithNotice(`${here}/settings`, 'deleted');
        default:
          await api
            .client(scope)
            .edit(pathParams.scopeId, values as never, {}, { ifMatch: replacedVersion(form) });
          return redirectWithNotice(here, 'saved');
      }
    } catch (error) {
      return toProblemResponse(error, intent ? { ...Object.fromEntries(form), intent } : values);
    }
  });
}

async function missingNameProblem(request: Request): Promise<Problem> {
  const t = await loadTranslator(preferencesOf(request).language);
  return new Problem('invalid', { invalidParams: [{ name: 'name', reason: t('rule.required') }] });
}

export default function ScopeSettings() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const actionProblem = toActionProblem(useActionResult());
  const formId = useId();
  const intent = actionProblem?.values.intent;
  const own = actionProblem && intent === undefined ? actionProblem : undefined;
  const unmarked =
    actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined;
  useProblemToast(unmarked);
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Panel title={t('page.settings')} padded>
        {own && unmarked && <WriteAlert actionProblem={own} formId={formId} />}
        {data.mayEdit ? (
          <Form
            id={formId}
            key={data.tag}
            meta={data.fields}
            values={own ? { ...data.values, ...own.values } : data.values}
            errors={own?.errors}
            hidden={{ [etagField]: data.tag }}
          >
            <ReplayPanel />
          </Form>
        ) : (
          <InfoTable
            caption={t('page.settings')}
            rows={Object.entries(data.fields).map(([name, meta]) => ({
              name,
              meta,
              value: data.values[name],
            }))}
          />
        )}
      </Panel>
      <div className="grid gap-5">
        <NamedItemList
          title={t('page.severities')}
          data={data.severities}
          columns={['status', 'name', 'value']}
          permissions={data.severityPermissions}
          intents={{ add: 'add-severity', remove: 'remove-severity' }}
          meta={data.severityForm}
          addLabel={t('page.add')}
          addTitle={t('page.add-severity')}
          refusal={actionProblem}
        />
        <NamedItemList
          title={t('page.attributes')}
          data={data.attributes}
          columns={['name', 'value']}
          permissions={data.attributePermissions}
          intents={{ add: 'set-attribute', remove: 'remove-attribute' }}
          meta={data.attributeForm}
          addLabel={t('page.set')}
          addTitle={t('page.set-attribute')}
          emptyText={t('page.no-attributes')}
          refusal={actionProblem}
        />
      </div>
    </div>
  );
}
