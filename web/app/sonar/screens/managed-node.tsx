// Layout of a managed node's pages: header, sections, and links to the destinations that have its address.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { managedNode } from '@yagura/core/sonar/managed-node';
import { preferencesOf } from '../../preferences/preferences.server.ts';
import { DestinationButtons } from '../../resource/item/destination-buttons.tsx';
import { destinationLinks } from '../../resource/item/destination-links.server.ts';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const data = await sectionsData(args, managedNode);
  const address = String(data.item.addr ?? '');
  const t = await loadTranslator(preferencesOf(args.request).language);
  const remarks = t('sonar.session-remarks', { name: String(data.item.displayName) });
  const destinations = await withApi(args, (api) =>
    destinationLinks(api, address === '' ? [] : [address], { remarks }),
  );
  return { ...data, destinations };
}

export const action = removeItemAction;

export default function ManagedNode() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <SectionedItem
      data={data}
      actions={
        <DestinationButtons
          destinations={data.destinations}
          labelOf={(name) => t('sonar.connect', { name })}
        />
      }
    />
  );
}
