// A delivery: what is sent, every attempt, and what came back.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { Attempt } from '@yagura/core/alerthub/action-record';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { resourceAt } from '../../resource/place.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { useWords } from '../../ui/words.tsx';
import { Attempts } from './attempts.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  return screen(args, (api) => itemData(api, placed));
}

export default function ActionRecord() {
  const data = useLoaderData<typeof loader>();
  const { t } = useWords();
  const { scopeId, messageId, attempts, request } = data.item;
  const back = messageId ? `/apps/alerthub/messages/${messageId}` : `/apps/alerthub/scopes/${scopeId}`;
  return (
    <>
      <ItemHeader data={data} backHref={back} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} />
        <div className="grid gap-5">
          <Panel title={t('page.attempts')}>
            <Attempts attempts={(attempts ?? []) as Attempt[]} />
          </Panel>
          <Panel title={t('page.sent')} padded>
            <JsonView value={request} />
          </Panel>
        </div>
      </div>
    </>
  );
}
