// AlertHub's settings: whom failures are told, and what mails are sent by.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { emailActionSenderSetting } from '@yagura/core/alerthub/email-action-sender-setting';
import { notificationSettingEmail } from '@yagura/core/alerthub/notification-setting-email';
import { Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { miniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { nounText } from '../../shell/crumb.ts';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { mayOf, personOf } from '../../signin/grant.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useWords } from '../../ui/words.tsx';

const most = 1000;

export async function loader(args: LoaderFunctionArgs) {
  return screen(args, async (api) => {
    const person = await personOf(api);
    const section = async (resource: AnyResource, sort: string) => {
      const may = mayOf(person, resource);
      if (!may.list) return null;
      const data = await miniData(api, resource, { sort, limit: most });
      return { data, noun: resource.noun, screen: resource.screen!, mayCreate: may.create };
    };
    const [addresses, senders] = await Promise.all([
      section(notificationSettingEmail, 'name'),
      section(emailActionSenderSetting, 'displayName'),
    ]);
    if (!addresses && !senders) throw new Problem('forbidden');
    return {
      addresses,
      senders,
      crumbs: [
        { to: '/apps/alerthub', word: 'shell.alerthub' },
        { to: '/apps/alerthub/settings', word: 'page.settings' },
      ],
      watches: [notificationSettingEmail.name, emailActionSenderSetting.name],
    };
  });
}

export default function Settings() {
  const { addresses, senders } = useLoaderData<typeof loader>();
  const { t } = useWords();
  return (
    <>
      <h1 className="mb-3 text-xl font-semibold">{t('page.settings')}</h1>
      <div className="grid gap-5">
        {addresses && (
          <Section
            section={addresses}
            columns={['name', 'email', 'disabled', 'updatedAt']}
            about={t('page.about-notification-addresses')}
          />
        )}
        {senders && (
          <Section
            section={senders}
            columns={['displayName', 'from', 'provider', 'updatedAt']}
            about={t('page.about-email-senders')}
          />
        )}
      </div>
    </>
  );
}

type SectionData = NonNullable<Awaited<ReturnType<typeof useLoaderData<typeof loader>>>['addresses']>;

function Section(props: { section: SectionData; columns: string[]; about: string }) {
  const { t, language } = useWords();
  const { data, noun, screen: base, mayCreate } = props.section;
  const name = nounText(noun, language, 'many');
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
        wide={['updatedAt']}
        caption={name}
        empty={<Placeholder kind="empty" />}
      />
    </Panel>
  );
}
