// What a person sets of a scope: its form, its severities by name, and its attributes.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { attribute, scope, severity } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { inputFields, itemFields } from '@yagura/core/resource/define-resource';
import { tagField } from '../../resource/hidden-field.ts';
import { showTagged } from '../../resource/item-data.server.ts';
import { miniData } from '../../resource/mini-data.server.ts';
import { asRefusal, useRefusalText, useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { leave, refuse } from '../../resource/write.server.ts';
import { onlyAfterOwnWrites } from '../../shell/own-writes.ts';
import { Panel } from '../../shell/panel.tsx';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Form } from '../../ui/form.tsx';
import { readForm } from '../../ui/form-data.ts';
import { useTranslation } from '../../ui/words.tsx';
import { asksForReplay, replayFrom } from '../replay.server.ts';
import { ReplayPanel } from '../replay-panel.tsx';
import { NamedValues } from './named-values.tsx';

const max = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const place = { scopeId: args.params.scopeId! };
  return withApi(args, async (api) => {
    const [{ item, tag }, person, severities, attributes] = await Promise.all([
      showTagged(api, scope, place.scopeId, place),
      getCurrentUser(api),
      miniData(api, severity, { sort: 'name', limit: max }, place),
      miniData(api, attribute, { sort: 'name', limit: max }, place),
    ]);
    if (!resourcePermissions(person, scope).edit) throw new Problem('forbidden');
    return {
      fields: inputFields(scope),
      values: item,
      tag: tag ?? '',
      severities,
      attributes,
      severityForm: inputFields(severity),
      attributeForm: { name: itemFields(attribute).name!, ...inputFields(attribute) },
    };
  });
}

export const shouldRevalidate = onlyAfterOwnWrites;

/** Saves the part of the settings that the form's intent names. */
export async function action(args: ActionFunctionArgs) {
  const place = { scopeId: args.params.scopeId! };
  if (await asksForReplay(args.request))
    return replayFrom(args, scope, { kind: 'scope', id: place.scopeId, scopeId: null });
  refuseForeign(args.request, args.context);
  const here = `/apps/alerthub/scopes/${encodeURIComponent(place.scopeId)}`;
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  const intent = text('intent');
  return withApi(args, async (api) => {
    const values = readForm(form, inputFields(scope));
    try {
      switch (intent) {
        case 'add-severity':
          await api.client(severity).create({ name: text('name') }, place);
          return leave(`${here}/settings`, 'saved');
        case 'remove-severity':
          await api.client(severity).remove(text('id'), place);
          return leave(`${here}/settings`, 'deleted');
        case 'set-attribute':
          if (!text('name').trim()) throw missingName();
          await api.client(attribute).edit(text('name').trim(), { value: text('value') }, place);
          return leave(`${here}/settings`, 'saved');
        case 'remove-attribute':
          await api.client(attribute).remove(text('id'), place);
          return leave(`${here}/settings`, 'deleted');
        default:
          await api
            .client(scope)
            .edit(place.scopeId, values as never, {}, { ifMatch: text(tagField) || undefined });
          return leave(here, 'saved');
      }
    } catch (error) {
      return refuse(error, intent ? { ...Object.fromEntries(form), intent } : values);
    }
  });
}

function missingName(): Problem {
  return new Problem('invalid', { invalidParams: [{ name: 'name', reason: 'must not be empty' }] });
}

export default function ScopeSettings() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const refusal = asRefusal(useActionResult());
  const tell = useRefusalText();
  const intent = refusal?.values.intent;
  const own = refusal && intent === undefined ? refusal : undefined;
  const unmarked = refusal && Object.keys(refusal.errors).length === 0 ? refusal : undefined;
  useRefusalToast(unmarked);
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Panel title={t('page.settings')} padded>
        {own && unmarked && (
          <p role="alert" className="mb-3 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
            {tell(own)}
          </p>
        )}
        <Form
          key={data.tag}
          meta={data.fields}
          values={own ? { ...data.values, ...own.values } : data.values}
          errors={own?.errors}
          hidden={{ [tagField]: data.tag }}
        >
          <ReplayPanel />
        </Form>
      </Panel>
      <div className="grid gap-5">
        <NamedValues
          title={t('page.severities')}
          data={data.severities}
          columns={['status', 'name', 'value']}
          intents={{ add: 'add-severity', remove: 'remove-severity' }}
          meta={data.severityForm}
          addLabel={t('page.add')}
          addTitle={t('page.add-severity')}
          refusal={refusal}
        />
        <NamedValues
          title={t('page.attributes')}
          data={data.attributes}
          columns={['name', 'value']}
          intents={{ add: 'set-attribute', remove: 'remove-attribute' }}
          meta={data.attributeForm}
          addLabel={t('page.set')}
          addTitle={t('page.set-attribute')}
          emptyText={t('page.no-attributes')}
          refusal={refusal}
        />
      </div>
    </div>
  );
}
