// Names to suggest where no item has the name that was given.
import type { Transport } from '@yagura/core/http/transport';
import { printFilter } from '@yagura/core/query/filter';
import type { PathParams } from '@yagura/core/resource/client';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { closestMatch } from '../../command-line/closest-match.ts';
import { resourceClient } from './resource-client.ts';

const maxSuggestions = 3;
/** Names that are compared, as one page of the list has them. */
const maxCompared = 200;

/** Names that contain the text, else those with few other letters; none if they cannot be read. */
export async function similarNames(
  meta: ResourceMeta,
  text: string,
  transport: Transport,
  pathParams: PathParams,
  signal?: AbortSignal,
): Promise<string[]> {
  const client = resourceClient(meta, transport);
  const namesOf = async (query: { filter?: string; limit: number }) =>
    (await client.list(query, pathParams, signal)).items.map((item) => String(item[meta.title]));
  try {
    const filter = printFilter({ op: 'co', field: meta.title, value: text });
    const containing = await namesOf({ filter, limit: maxSuggestions });
    if (containing.length > 0) return containing;
    return closestMatch(text, await namesOf({ limit: maxCompared }));
  } catch {
    return [];
  }
}
