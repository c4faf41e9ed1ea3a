// Detail page of an event.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { event } from '@yagura/core/alerthub/event';
import { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { type Api, withApi } from '../../../signin/api.server.ts';

/** Number of scopes searched concurrently. */
const batchSize = 10;

export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url);
  const id = args.params.eventId!;
  const match = matchResource(url.pathname);
  return withApi(args, async (api) => {
    const scopeId = url.searchParams.get('scopeId');
    if (!scopeId) {
      // Events are nested below their scope in the API. The console's own links carry the scope id; other
      // links need a search.
      const found = await findScopeOfEvent(api, id);
      throw redirect(`${url.pathname}?${new URLSearchParams({ scopeId: found })}`);
    }
    return itemData(api, { ...match, params: { scopeId } }, id);
  });
}

async function findScopeOfEvent(api: Api, eventId: string): Promise<string> {
  const scopeBatch: string[] = [];
  const searchBatch = async () => {
    const ids = scopeBatch.splice(0);
    const found = await Promise.all(ids.map((scopeId) => api.client(event).find(eventId, { scopeId })));
    return ids[found.findIndex((each) => each !== null)];
  };
  for await (const item of api.client(scope).fetchAll({ sort: '-lastEventAt' })) {
    scopeBatch.push(item.scopeId);
    const hit = scopeBatch.length === batchSize ? await searchBatch() : undefined;
    if (hit) return hit;
  }
  const last = await searchBatch();
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
