// One destination, and the way to a new session there.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { session } from '@yagura/core/greac/session';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { removeAt } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/grant.server.ts';
import { OpenSession } from '../open-session.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, person] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    return {
      data,
      crumbs: data.crumbs,
      watches: data.watches,
      mayOpen: resourcePermissions(person, session).create,
    };
  });
}

export const action = removeAt;

export default function Destination() {
  const { data, mayOpen } = useLoaderData<typeof loader>();
  const id = String(data.item.destinationId);
  return (
    <div key={id}>
      <ItemHeader data={data} actions={mayOpen && <OpenSession destinationId={id} />} />
      <ItemInfo data={data} />
    </div>
  );
}
