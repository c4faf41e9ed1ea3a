// The tags of a managed node.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, placed));
}

export default function Tags() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="space-y-3">
      {data.permissions.edit && <LinkButton to={`${data.screen}/edit`}>{t('verb.edit')}</LinkButton>}
      <ItemInfo data={data} />
    </div>
  );
}
