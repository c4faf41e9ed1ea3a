// The names that a destination's form chooses from and that no list of the console holds: the credentials of every Kroker.
import { credential } from '@yagura/core/kroker/credential';
import { kroker } from '@yagura/core/kroker/kroker';
import type { Api } from '../../signin/api.server.ts';
import type { References } from '../../ui/references.ts';

/** Credentials under the name of their Kroker; what may not be listed is left out. */
export async function credentialNames(api: Api): Promise<References> {
  const names: References[string] = {};
  const krokers = await api
    .client(kroker)
    .list({ limit: 1000, sort: 'displayName' })
    .catch(() => ({ items: [] }));
  await Promise.all(
    krokers.items.map(async ({ krokerId, displayName }) => {
      const held = await api
        .client(credential)
        .list({ limit: 1000 }, { krokerId })
        .catch(() => ({ items: [] }));
      for (const one of held.items) names[one.credentialId] = { name: `${displayName} / ${one.displayName}` };
    }),
  );
  return { credential: names };
}
