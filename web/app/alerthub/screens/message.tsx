// A message: its header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader } from '../../resource/item-screen.tsx';
import { resourceAt } from '../../resource/place.server.ts';
import { screen } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useWords } from '../../ui/words.tsx';

/** Bytes of a body that a page shows; the download has all of it. */
const mostShown = 262_144;

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(`/apps/alerthub/messages/${encodeURIComponent(args.params.messageId!)}`);
  return screen(args, (api) => itemData(api, placed, undefined, { contentLimit: mostShown }));
}

export default function Message() {
  const data = useLoaderData<typeof loader>();
  const { t } = useWords();
  const base = `${data.screen}/${String(data.item.messageId)}`;
  return (
    <>
      <ItemHeader
        data={data}
        actions={
          <LinkButton to={`${base}/files/raw`} icon="arrow-down" reloadDocument download>
            {t('mail-in.raw')}
          </LinkButton>
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
