// An event of a scope.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';

/** Scopes looked through at the same time (spec section 9). */
const batch = 10;

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const id = args.params.eventId!;
  const placed = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const scopeId = url.searchParams.get('scopeId');
    if (!scopeId) {
      // The API keeps events below their scope; the console's own links name it.
      const found = await scopeOfEvent(api, id);
      throw redirect(`${url.pathname}?${new URLSearchParams({ scopeId: found })}`);
    }
    return itemData(api, { ...placed, params: { scopeId } }, id);
  });
}

async function scopeOfEvent(api: Api, eventId: string): Promise<string> {
  const waiting: string[] = [];
  const look = async () => {
    const ids = waiting.splice(0);
    const found = await Promise.all(ids.map((scopeId) => api.client(event).find(eventId, { scopeId })));
    return ids[found.findIndex((each) => each !== null)];
  };
  for await (const item of api.client(scope).fetchAll({ sort: '-lastEventAt' })) {
    waiting.push(item.scopeId);
    const hit = waiting.length === batch ? await look() : undefined;
    if (hit) return hit;
  }
  const last = await look();
  if (!last) throw new Problem('not-found');
  return last;
}

export default function EventItem() {
  const data = useLoaderData<typeof loader>();
  return (
    <>
      <ItemHeader data={data} backHref={`/apps/alerthub/scopes/${String(data.item.scopeId)}`} />
      <ItemInfo data={data} />
    </>
  );
}
