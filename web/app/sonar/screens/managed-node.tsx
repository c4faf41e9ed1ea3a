// Layout of a managed node's pages: header, sections, and links to the destinations that have its address.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { destination } from '@yagura/core/greac/destination';
import { printFilter } from '@yagura/core/query/filter';
import { managedNode } from '@yagura/core/sonar/managed-node';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';

/** Destinations that are linked. */
const maxDestinations = 3;

export async function loader(args: LoaderFunctionArgs) {
  const data = await sectionsData(args, managedNode);
  return { ...data, destinations: await destinationsAt(args, String(data.item.addr ?? '')) };
}

export const action = removeItemAction;

export default function ManagedNode() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const remarks = t('sonar.session-remarks', { name: String(data.item.displayName) });
  return (
    <SectionedItem
      data={data}
      actions={data.destinations.map(({ destinationId, displayName }) => (
        <LinkButton
          key={destinationId}
          icon="terminal"
          to={`${destination.screen}/${destinationId}?${new URLSearchParams({ remarks })}`}
        >
          {t('sonar.connect', { name: displayName })}
        </LinkButton>
      ))}
    />
  );
}

/** Destinations with this address at which the user may open sessions. */
function destinationsAt(args: LoaderFunctionArgs, address: string) {
  return withApi(args, async (api) => {
    if (address === '' || !resourcePermissions(await getCurrentUser(api), destination).list) return [];
    const filter = printFilter({ op: 'eq', field: 'host', value: address });
    const listed = api.client(destination).list({ filter, limit: maxDestinations, sort: 'displayName' });
    const { items } = await ifPermitted(listed, { items: [] });
    return items.map(({ destinationId, displayName }) => ({ destinationId, displayName }));
  });
}
