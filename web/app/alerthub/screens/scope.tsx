// A scope: its header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { rule } from '@yagura/core/alerthub/rule';
import { trigger } from '@yagura/core/alerthub/trigger';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { removeAt } from '../../resource/write.server.ts';
import { nounText } from '../../shell/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/grant.server.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.scopeId!;
  const placed = matchResource(`/apps/alerthub/scopes/${encodeURIComponent(id)}`);
  return withApi(args, async (api) => {
    const [scope, person] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    return {
      ...scope,
      tabs: {
        rules: resourcePermissions(person, rule).list ? rule.noun : null,
        mutes: resourcePermissions(person, muteSchedule).list ? muteSchedule.noun : null,
        triggers: resourcePermissions(person, trigger).list ? trigger.noun : null,
      },
      watches: ['scope', 'event'],
    };
  });
}

export const action = removeAt;

export default function Scope() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const base = `${data.screen}/${String(data.item.scopeId)}`;
  const { rules, triggers, mutes } = data.tabs;
  return (
    <>
      <ItemHeader data={data} editHref={`${base}/settings`} />
      <Tabs
        tabs={[
          { to: base, label: t('page.overview'), end: true },
          ...(rules ? [{ to: `${base}/rules`, label: nounText(rules, language, 'many') }] : []),
          ...(triggers ? [{ to: `${base}/triggers`, label: nounText(triggers, language, 'many') }] : []),
          ...(mutes ? [{ to: `${base}/mute-schedules`, label: nounText(mutes, language, 'many') }] : []),
          ...(data.permissions.edit ? [{ to: `${base}/settings`, label: t('page.settings') }] : []),
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
