// Detail page of a credential, without its secret.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const data = await itemData(api, match);
    const { encryptedData: _data, ...item } = data.item;
    return { ...data, item };
  });
}

export const action = removeItemAction;

export default function Credential() {
  const data = useLoaderData<typeof loader>();
  const back = data.screen.replace(/\/credentials$/, '');
  return (
    <div key={String(data.item.credentialId)}>
      <ItemHeader data={data} backHref={back} />
      <ItemInfo data={data} />
    </div>
  );
}
