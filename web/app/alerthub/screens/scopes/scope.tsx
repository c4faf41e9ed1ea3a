// Layout of a scope's pages: header and sections.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { rule } from '@yagura/core/alerthub/rule';
import { scope as scopeResource } from '@yagura/core/alerthub/scope';
import { trigger } from '@yagura/core/alerthub/trigger';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { removeItemAction } from '../../../resource/write/write.server.ts';
import { formatNoun } from '../../../shell/navigation/crumb.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { AcknowledgedNote } from '../../acknowledged-note.tsx';
import { MutedNote } from '../../mutes/muted-note.tsx';
import { acknowledgeAction, acknowledgeFields } from './acknowledge.server.ts';
import { AcknowledgeButtons } from './acknowledge-buttons.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.scopeId!;
  const match = matchResource(`/apps/alerthub/scopes/${encodeURIComponent(id)}`);
  return withApi(args, async (api) => {
    const [scope, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    return {
      ...scope,
      tabs: {
        rules: resourcePermissions(user, rule).list ? rule.noun : null,
        mutes: resourcePermissions(user, muteSchedule).list ? muteSchedule.noun : null,
        triggers: resourcePermissions(user, trigger).list ? trigger.noun : null,
      },
      acknowledgeFields: can(user.permissions, permissionFor(scopeResource, 'acknowledge'))
        ? acknowledgeFields()
        : null,
      mayMute: resourcePermissions(user, muteSchedule).create,
      watches: ['scope', 'event', 'mute-schedule'],
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  const scopeId = args.params.scopeId!;
  const page = `${scopeResource.screen}/${encodeURIComponent(scopeId)}`;
  return (await acknowledgeAction(args, form, { scopeId, page })) ?? removeItemAction(args);
}

export default function Scope() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const base = `${data.screen}/${String(data.item.scopeId)}`;
  const { rules, triggers, mutes } = data.tabs;
  return (
    <>
      <ItemHeader
        data={data}
        editHref={`${base}/settings`}
        badge={
          <>
            <AcknowledgedNote by={data.item.acknowledgedBy} note={data.item.acknowledgementNote} />
            <MutedNote until={data.item.mutedUntil} />
          </>
        }
        actions={
          <>
            {data.acknowledgeFields && (
              <AcknowledgeButtons item={data.item} base={base} meta={data.acknowledgeFields} />
            )}
            {data.mayMute && <LinkButton to={`${base}/mute-schedules/new`}>{t('mute.mute')}</LinkButton>}
          </>
        }
      />
      <Tabs
        tabs={[
          { to: base, label: t('page.overview'), end: true },
          ...(rules ? [{ to: `${base}/rules`, label: formatNoun(rules, language, 'many') }] : []),
          ...(triggers ? [{ to: `${base}/triggers`, label: formatNoun(triggers, language, 'many') }] : []),
          ...(mutes ? [{ to: `${base}/mute-schedules`, label: formatNoun(mutes, language, 'many') }] : []),
          { to: `${base}/settings`, label: t('page.settings') },
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
