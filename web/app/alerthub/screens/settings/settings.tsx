// AlertHub settings: failure notifications, mail senders and retention.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { emailActionSenderSetting } from '@yagura/core/alerthub/email-action-sender-setting';
import { notificationSettingEmail } from '@yagura/core/alerthub/notification-setting-email';
import { retentionSettings } from '@yagura/core/alerthub/retention-settings';
import { Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { retentionData } from '../../../resource/retention/retention-data.server.ts';
import { RetentionPanel } from '../../../resource/retention/retention-panel.tsx';
import { type Crumb, formatNoun } from '../../../shell/navigation/crumb.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

const max = 1000;

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const user = await getCurrentUser(api);
    const section = async (resource: AnyResource, sort: string) => {
      const permissions = resourcePermissions(user, resource);
      if (!permissions.list) return null;
      const data = await miniData(api, resource, { sort, limit: max });
      return { data, noun: resource.noun, screen: resource.screen!, mayCreate: permissions.create };
    };
    const [addresses, senders, retention] = await Promise.all([
      section(notificationSettingEmail, 'name'),
      section(emailActionSenderSetting, 'displayName'),
      retentionData(api, user, retentionSettings),
    ]);
    if (!addresses && !senders && !retention) throw new Problem('forbidden');
    return {
      addresses,
      senders,
      retention,
      crumbs: [
        { to: '/apps/alerthub', labelKey: 'shell.alerthub' },
        { to: '/apps/alerthub/settings', labelKey: 'page.settings' },
      ] satisfies Crumb[],
      watches: [notificationSettingEmail.name, emailActionSenderSetting.name, retentionSettings.name],
    };
  });
}

export default function Settings() {
  const { addresses, senders, retention } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <>
      <h1 className="mb-3 text-xl font-semibold">{t('page.settings')}</h1>
      <div className="grid gap-5">
        {addresses && (
          <SettingsSection
            section={addresses}
            columns={['name', 'email', 'disabled', 'updatedAt']}
            about={t('page.about-notification-addresses')}
          />
        )}
        {senders && (
          <SettingsSection
            section={senders}
            columns={['displayName', 'from', 'provider', 'updatedAt']}
            about={t('page.about-email-senders')}
          />
        )}
        {retention && <RetentionPanel retention={retention} />}
      </div>
    </>
  );
}

type SectionData = NonNullable<Awaited<ReturnType<typeof useLoaderData<typeof loader>>>['addresses']>;

function SettingsSection(props: { section: SectionData; columns: string[]; about: string }) {
  const { t, language } = useTranslation();
  const { data, noun, screen: base, mayCreate } = props.section;
  const name = formatNoun(noun, language, 'many');
  return (
    <Panel
      title={name}
      actions={
        mayCreate && (
          <LinkButton to={`${base}/new`} size="small" icon="plus">
            {t('verb.create')}
          </LinkButton>
        )
      }
    >
      <p className="px-4 pt-3 text-sm text-muted">{props.about}</p>
      <MiniTable
        data={data}
        columns={props.columns}
        hiddenOnMobile={['updatedAt']}
        caption={name}
        empty={<Placeholder kind="empty" />}
      />
    </Panel>
  );
}
