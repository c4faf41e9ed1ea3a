// Layout of a message's pages: header with links to the hosts that it names, and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { DestinationButtons } from '../../../resource/item/destination-buttons.tsx';
import { messageDestinationLinks } from '../../../resource/item/destination-links.server.ts';
import { itemData, type Row } from '../../../resource/item/item-data.server.ts';
import { ItemHeader } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import type { MessageContent } from '../../messages/message-view.tsx';
import { messageParam } from '../../rule-test/message-param.ts';

/** Maximum bytes of a body on the page; the download is complete. */
const maxContentBytes = 262_144;

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(`/apps/alerthub/messages/${encodeURIComponent(args.params.messageId!)}`);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([
      itemData(api, match, undefined, { contentLimit: maxContentBytes }),
      getCurrentUser(api),
    ]);
    const { messageId, content } = data.item;
    const destinations = await messageDestinationLinks(api, { messageId: String(messageId), content });
    const item: Row = { ...data.item, content: dataAsText(content) };
    return { ...data, item, destinations, mayCreateRule: resourcePermissions(user, rule).create };
  });
}

/**
 * Returns the content with its data as one string. The framework encodes each value of loader data on its own, which takes long
 * for tens of thousands of them.
 */
function dataAsText(content: unknown): MessageContent {
  const { data = null, ...others } = content as { data?: unknown };
  return data === null ? others : { ...others, dataJson: JSON.stringify(data) };
}

export default function Message() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const base = `${data.screen}/${String(data.item.messageId)}`;
  return (
    <>
      <ItemHeader
        data={data}
        actions={
          <>
            <DestinationButtons
              destinations={data.destinations}
              labelOf={(name) => t('alerthub.connect', { name })}
            />
            {data.mayCreateRule && (
              <LinkButton
                to={`/apps/alerthub/rules/new?${new URLSearchParams({ [messageParam]: String(data.item.messageId) })}`}
                icon="plus"
              >
                {t('alerthub.create-rule')}
              </LinkButton>
            )}
            <LinkButton to={`${base}/files/raw`} icon="arrow-down" reloadDocument download>
              {t('mail-in.raw')}
            </LinkButton>
          </>
        }
      />
      <Tabs
        tabs={[
          { to: base, label: t('page.overview'), end: true },
          { to: `${base}/rule-records`, label: t('page.rule-records') },
          { to: `${base}/events`, label: t('page.events') },
          { to: `${base}/runbook-records`, label: t('runbook.records') },
          { to: `${base}/why`, label: t('page.why') },
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
