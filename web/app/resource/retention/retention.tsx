// Page of retention settings.
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from '../../ui/translation.tsx';
import { loader } from '../item/item.tsx';
import { ItemHeader, ItemInfo } from '../item/item-screen.tsx';
import { isDaysField, useRetentionTexts } from './retention-texts.ts';

export { loader };

export default function Retention() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { about } = useRetentionTexts(data.meta.name);
  const unlimited = Object.keys(data.item).filter((name) => isDaysField(name) && data.item[name] === null);
  return (
    <>
      <ItemHeader data={data} />
      <p className="mb-3 max-w-3xl text-sm text-muted">{about}</p>
      <ItemInfo
        data={data}
        fields={Object.fromEntries(unlimited.map((name) => [name, t('retention.for-ever')]))}
      />
    </>
  );
}
