// Cancels the space: shows its contents, offers the export and asks for the space's name; the cancellation
// can be undone.

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { resources } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import type { Item } from '@yagura/core/resource/define-resource';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { cancellation, spaceUsage } from '@yagura/core/space/cancellation';
import { mfa } from '@yagura/core/space/mfa';
import { space } from '@yagura/core/space/space';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { matchResource } from '../../resource/match-resource.server.ts';
import { redirectWithNotice, toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ProfileField } from '../profile/profile-field.tsx';
import { FactorsProvider, ProofField, useProofMethod } from '../profile/proof-field.tsx';
import { readProof } from '../profile-changes.server.ts';

const here = '/preference/cancel-space';
type Usage = Item<typeof spaceUsage>;

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [state, usage, own, factors, crumbs] = await Promise.all([
      api.client(cancellation).show(),
      api.client(spaceUsage).show(),
      api.client(space).show(),
      api.client(mfa).show(),
      buildCrumbs(api, matchResource(here)),
    ]);
    return { state, usage, factors, name: own.displayName, crumbs, watches: [cancellation.name] };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const intent = form.get('intent');
  if (intent !== 'request' && intent !== 'withdraw')
    throw data(new Problem('invalid').toJSON(), { status: 400 });
  return withApi(args, async (api) => {
    try {
      const body = {
        displayName: String(form.get('displayName') ?? ''),
        ...readProof(form),
      };
      await api.client(cancellation).call(intent, intent === 'request' ? { body } : {});
      return redirectWithNotice(here, 'saved');
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function CancelSpace() {
  const { state, usage, factors, name } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="grid max-w-3xl gap-5">
      <h1 className="text-xl font-semibold">{t('cancel.title')}</h1>
      <Panel title={t('cancel.usage')} padded>
        <UsageCounts usage={usage} />
      </Panel>
      <Panel title={t('cancel.export-title')} padded>
        <p className="mb-3 text-sm text-muted">{t('cancel.export-text')}</p>
        <LinkButton to={`${here}/export`} reloadDocument>
          {t('cancel.export')}
        </LinkButton>
      </Panel>
      <Panel title={t('cancel.title')} padded>
        {state.state === 'waiting' ? (
          <PendingCancellation state={state} />
        ) : (
          <FactorsProvider value={factors}>
            <CancelForm days={state.waitingDays} name={name} />
          </FactorsProvider>
        )}
      </Panel>
    </div>
  );
}

function UsageCounts({ usage }: { usage: Usage }) {
  const { t, language } = useTranslation();
  const nounOf = (name: string) => {
    const noun = resources.find((one) => one.name === name)?.noun;
    return noun ? resourceNoun(noun, language, 'many') : name;
  };
  if (usage.counts.length === 0) return <p className="text-sm text-muted">{t('cancel.usage-empty')}</p>;
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-sm sm:grid-cols-[1fr_auto_1fr_auto]">
      {usage.counts.map(({ resource, count }) => (
        <div key={resource} className="contents">
          <dt className="text-muted first-letter:uppercase">{nounOf(resource)}</dt>
          <dd className="text-right tabular-nums">
            {resource === 'user' && usage.maxUsers !== null
              ? t('cancel.users-of', { count, most: usage.maxUsers })
              : count.toLocaleString(language)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PendingCancellation({ state }: { state: Item<typeof cancellation> }) {
  const { t } = useTranslation();
  const [before = '', after = ''] = t('cancel.waiting', { name: state.requestedBy ?? '', time: '\0' }).split(
    '\0',
  );
  return (
    <>
      <p role="status" className="mb-3 rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
        {before}
        <Time value={state.endsAt!} age={false} />
        {after}
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="withdraw" />
        <Button type="submit" variant="primary">
          {t('cancel.withdraw')}
        </Button>
      </Form>
    </>
  );
}

function CancelForm({ days, name }: { days: number; name: string }) {
  const { t } = useTranslation();
  const refusal = useActionResult<typeof action>();
  const proofMethod = useProofMethod();
  const { errors = {}, problem } = refusal ?? {};
  const other = problem && Object.keys(errors).length === 0 ? (problem.detail ?? problem.title) : undefined;
  return (
    <Form method="post" className="grid gap-3">
      <input type="hidden" name="intent" value="request" />
      <p className="text-sm">{t('cancel.lead', { days })}</p>
      {other && (
        <p role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
          {other}
        </p>
      )}
      <ProfileField
        name="displayName"
        label={t('cancel.type-name', { name })}
        autoComplete="off"
        maxLength={100}
        error={errors.displayName}
      />
      <div className="flex flex-wrap items-end gap-2">
        <ProofField errors={errors} />
      </div>
      {proofMethod !== 'sign-in' && (
        <div>
          <Button type="submit" variant="danger">
            {t('cancel.request')}
          </Button>
        </div>
      )}
    </Form>
  );
}
