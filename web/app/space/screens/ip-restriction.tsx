// IP restriction of the space: switch, allowed addresses, and the address of the current user.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { inputFields } from '@yagura/core/resource/define-resource';
import { ipRestriction, selfIpAddress } from '@yagura/core/space/ip-restriction';
import { useId } from 'react';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { showWithETag } from '../../resource/item/item-data.server.ts';
import { matchResource } from '../../resource/match-resource.server.ts';
import { etagField } from '../../resource/write/hidden-field.ts';
import { toActionProblem, useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { handleWrite, redirectWithNotice, replacedVersion } from '../../resource/write/write.server.ts';
import { WriteAlert } from '../../resource/write/write-alert.tsx';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { isFeatureIncluded } from '../../signin/contract.server.ts';
import { Form } from '../../ui/form/form.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const here = '/preference/ip-restriction';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const match = matchResource(here);
    const [{ item, tag }, self, ticket, crumbs] = await Promise.all([
      showWithETag(api, ipRestriction, undefined, {}),
      api.client(selfIpAddress).show(),
      isFeatureIncluded(api, 'ip-restriction'),
      buildCrumbs(api, match),
    ]);
    return {
      values: item,
      tag: tag ?? '',
      address: self.ipAddress,
      ticket,
      fields: inputFields(ipRestriction),
      crumbs,
    };
  });
}

export const action = (args: ActionFunctionArgs) =>
  handleWrite(args, async (api, _match, values, form) => {
    await api.client(ipRestriction).edit(undefined, values as never, {}, { ifMatch: replacedVersion(form) });
    return redirectWithNotice(here, 'saved');
  });

export default function IpRestriction() {
  const data = useLoaderData<typeof loader>();
  const actionProblem = toActionProblem(useActionResult());
  const formId = useId();
  const { t } = useTranslation();
  const other = actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined;
  useProblemToast(other);
  return (
    <div className="grid max-w-3xl gap-5">
      <h1 className="text-xl font-semibold">{t('ip.title')}</h1>
      <Panel title={t('ip.own')} padded>
        <p className="font-mono text-sm">{data.address}</p>
        <p className="mt-1 text-sm text-muted">{t('ip.own-hint')}</p>
      </Panel>
      {!data.ticket && (
        <p role="note" className="rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
          {t('ip.no-ticket')}
        </p>
      )}
      {data.ticket && (
        <Panel title={t('ip.allowed')} padded>
          {other && <WriteAlert actionProblem={other} formId={formId} />}
          <Form
            id={formId}
            key={data.tag}
            meta={data.fields}
            values={{ ...data.values, ...actionProblem?.values }}
            errors={actionProblem?.errors}
            hints={{ enabled: t('ip.enabled-hint'), force: t('ip.force-hint') }}
            hidden={{ [etagField]: data.tag }}
          />
        </Panel>
      )}
    </div>
  );
}
