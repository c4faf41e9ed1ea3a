// From where the space may be reached: the switch, the addresses, and the address from which this page is seen.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { inputFields } from '@yagura/core/resource/define-resource';
import { ipRestriction, selfIpAddress } from '@yagura/core/space/ip-restriction';
import { crumbsFor } from '../../resource/crumbs.server.ts';
import { tagField } from '../../resource/hidden-field.ts';
import { showTagged } from '../../resource/item-data.server.ts';
import { matchResource } from '../../resource/place.server.ts';
import { asRefusal, useRefusalText, useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { handleWrite, leave } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { opens } from '../../signin/contract.server.ts';
import { Form } from '../../ui/form.tsx';
import { useTranslation } from '../../ui/words.tsx';

const here = '/preference/ip-restriction';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const placed = matchResource(here);
    const [{ item, tag }, self, ticket, crumbs] = await Promise.all([
      showTagged(api, ipRestriction, undefined, {}),
      api.client(selfIpAddress).show(),
      opens(api, 'ip-restriction'),
      crumbsFor(api, placed),
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
  handleWrite(args, async (api, _placed, values, form) => {
    await api
      .client(ipRestriction)
      .edit(undefined, values as never, {}, { ifMatch: String(form.get(tagField) ?? '') || undefined });
    return leave(here, 'saved');
  });

export default function IpRestriction() {
  const data = useLoaderData<typeof loader>();
  const refusal = asRefusal(useActionResult());
  const tell = useRefusalText();
  const { t } = useTranslation();
  const other = refusal && Object.keys(refusal.errors).length === 0 ? refusal : undefined;
  useRefusalToast(other);
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
          {other && (
            <p role="alert" className="mb-3 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
              {tell(other)}
            </p>
          )}
          <Form
            key={data.tag}
            meta={data.fields}
            values={{ ...data.values, ...refusal?.values }}
            errors={refusal?.errors}
            hints={{ enabled: t('ip.enabled-hint'), force: t('ip.force-hint') }}
            hidden={{ [tagField]: data.tag }}
          />
        </Panel>
      )}
    </div>
  );
}
