// Tags of a managed node.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, match));
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
