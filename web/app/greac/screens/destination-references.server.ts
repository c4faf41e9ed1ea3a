// Fetches the credentials of all Krokers for the destination form; the console has no list of them.
import { credential } from '@yagura/core/kroker/credential';
import { kroker } from '@yagura/core/kroker/kroker';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import type { Api } from '../../signin/api.server.ts';
import type { ReferenceOptions } from '../../ui/references.ts';

/** Page size larger than any list. */
const limit = 1000;

/** Returns credential names prefixed with their Kroker's name; omits those that the user may not list. */
export async function credentialNames(api: Api): Promise<ReferenceOptions> {
  const names: ReferenceOptions[string] = {};
  const loadKrokers = () => api.client(kroker).list({ limit, sort: 'displayName' });
  const krokers = await ifPermitted(api, kroker, 'list', loadKrokers, { items: [] });
  await Promise.all(
    krokers.items.map(async ({ krokerId, displayName }) => {
      const load = () => api.client(credential).list({ limit }, { krokerId });
      const held = await ifPermitted(api, credential, 'list', load, { items: [] });
      for (const one of held.items) names[one.credentialId] = { name: `${displayName} / ${one.displayName}` };
    }),
  );
  return { credential: names };
}
