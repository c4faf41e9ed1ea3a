// The end of the space: what it holds, the export, and the cancelling by name, which can be taken back.

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { all } from '@yagura/core/all';
import { nounWithin } from '@yagura/core/format/noun';
import { Problem } from '@yagura/core/http/problem';
import type { Item } from '@yagura/core/resource/define-resource';
import { cancellation, spaceUsage } from '@yagura/core/space/cancellation';
import { mfa } from '@yagura/core/space/mfa';
import { space } from '@yagura/core/space/space';
import { crumbsFor } from '../../resource/crumbs.server.ts';
import { matchResource } from '../../resource/place.server.ts';
import { leave, refuse } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { Entry } from '../profile/entry.tsx';
import { FactorsProvider, ProofEntry, useProofWay } from '../profile/proof-entry.tsx';
import { proofOf } from '../profile-changes.server.ts';

const here = '/preference/cancel-space';
type Usage = Item<typeof spaceUsage>;

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [state, usage, own, factors, crumbs] = await Promise.all([
      api.client(cancellation).show(),
      api.client(spaceUsage).show(),
      api.client(space).show(),
      api.client(mfa).show(),
      crumbsFor(api, matchResource(here)),
    ]);
    return { state, usage, factors, name: own.displayName, crumbs, watches: [cancellation.name] };
  });
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const form = await args.request.formData();
  const intent = form.get('intent');
  if (intent !== 'request' && intent !== 'withdraw')
    throw data(new Problem('invalid').toJSON(), { status: 400 });
  return withApi(args, async (api) => {
    try {
      const body = {
        displayName: String(form.get('displayName') ?? ''),
        ...proofOf(form),
      };
      await api.client(cancellation).call(intent, intent === 'request' ? { body } : {});
      return leave(here, 'saved');
    } catch (error) {
      return refuse(error, {});
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
        <Counts usage={usage} />
      </Panel>
      <Panel title={t('cancel.export-title')} padded>
        <p className="mb-3 text-sm text-muted">{t('cancel.export-text')}</p>
        <LinkButton to={`${here}/export`} reloadDocument>
          {t('cancel.export')}
        </LinkButton>
      </Panel>
      <Panel title={t('cancel.title')} padded>
        {state.state === 'waiting' ? (
          <Waiting state={state} />
        ) : (
          <FactorsProvider value={factors}>
            <Request days={state.waitingDays} name={name} />
          </FactorsProvider>
        )}
      </Panel>
    </div>
  );
}

function Counts({ usage }: { usage: Usage }) {
  const { t, language } = useTranslation();
  const nounOf = (name: string) => {
    const noun = all.find((one) => one.name === name)?.noun;
    return noun ? nounWithin(noun, language, 'many') : name;
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

function Waiting({ state }: { state: Item<typeof cancellation> }) {
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

function Request({ days, name }: { days: number; name: string }) {
  const { t } = useTranslation();
  const refusal = useActionResult<typeof action>();
  const way = useProofWay();
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
      <Entry
        name="displayName"
        label={t('cancel.type-name', { name })}
        autoComplete="off"
        maxLength={100}
        error={errors.displayName}
      />
      <div className="flex flex-wrap items-end gap-2">
        <ProofEntry errors={errors} />
      </div>
      {way !== 'sign-in' && (
        <div>
          <Button type="submit" variant="danger">
            {t('cancel.request')}
          </Button>
        </div>
      )}
    </Form>
  );
}
