// A short list inside another screen: a few rows, no paging, no choices.
import type { ListQuery } from '@yagura/core/http/page';
import type { Place } from '@yagura/core/resource/client';
import { type AnyResource, itemFacts } from '@yagura/core/resource/define-resource';
import { type ColumnFace, faceOf } from '@yagura/core/resource/face';
import type { Api } from '../signin/api.server.ts';
import type { References } from '../ui/references.ts';
import { hrefOf, referencesOf } from './references.server.ts';
import { fillScreen } from './screen-path.ts';

type Row = Record<string, unknown>;

export interface MiniData {
  name: string;
  id: string;
  columns: ColumnFace[];
  rows: Row[];
  hrefs: Record<string, string>;
  total: number;
  references: References;
}

/** The first rows of a list with everything to draw them. */
export async function miniData(
  api: Api,
  resource: AnyResource,
  query: ListQuery,
  place: Place = {},
  fetch?: () => Promise<{ items: Row[]; total: number }>,
): Promise<MiniData> {
  const { items, total } = await (fetch?.() ?? api.client<Row, unknown>(resource).list(query, place));
  const screen = fillScreen(resource.screen, place);
  const opens = screen !== undefined && resource.verbs.includes('show');
  return {
    name: resource.name,
    id: resource.id,
    columns: faceOf(resource).columns,
    rows: items,
    hrefs: opens
      ? Object.fromEntries(items.map((row) => [row[resource.id], hrefOf(resource, screen, row)]))
      : {},
    total,
    references: await referencesOf(api, itemFacts(resource), items),
  };
}
