// The tags of a managed node.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemInfo } from '../../resource/item-screen.tsx';
import { resourceAt } from '../../resource/place.server.ts';
import { screen } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useWords } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = resourceAt(new URL(args.request.url).pathname);
  return screen(args, (api) => itemData(api, placed));
}

export default function Tags() {
  const data = useLoaderData<typeof loader>();
  const { t } = useWords();
  return (
    <div className="space-y-3">
      {data.may.edit && <LinkButton to={`${data.screen}/edit`}>{t('verb.edit')}</LinkButton>}
      <ItemInfo data={data} />
    </div>
  );
}
