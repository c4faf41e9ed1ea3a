// Fetches the credentials of all Krokers for the destination form; the console has no list of them.
import { credential } from '@yagura/core/kroker/credential';
import { kroker } from '@yagura/core/kroker/kroker';
import type { Api } from '../../signin/api.server.ts';
import type { References } from '../../ui/references.ts';

/** Returns credential names prefixed with their Kroker's name; omits those that the user may not list. */
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
