// Detail page of a destination, with a button for a new session.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useSearchParams } from '@remix-run/react';
import { session } from '@yagura/core/greac/session';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { usePrefetchedDesktop } from '../desktop/use-prefetched-desktop.ts';
import { OpenSessionButton } from '../open-session-button.tsx';

/** Characters of remarks in a link. */
const maxRemarksLength = 200;

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    return {
      data,
      crumbs: data.crumbs,
      watches: data.watches,
      mayOpen: resourcePermissions(user, session).create,
    };
  });
}

export const action = removeItemAction;

export default function Destination() {
  const { data, mayOpen } = useLoaderData<typeof loader>();
  const id = String(data.item.destinationId);
  usePrefetchedDesktop(mayOpen && data.item.protocol === 'rdp');
  // A page that links here can say what the session is for.
  const [search] = useSearchParams();
  const remarks = search.get('remarks')?.slice(0, maxRemarksLength);
  const messageId = search.get('messageId') ?? undefined;
  return (
    <div key={id}>
      <ItemHeader
        data={data}
        actions={mayOpen && <OpenSessionButton destinationId={id} remarks={remarks} messageId={messageId} />}
      />
      <ItemInfo data={data} />
    </div>
  );
}
