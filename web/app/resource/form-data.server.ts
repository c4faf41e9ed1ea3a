// What a form needs beside the values: the names that its reference fields choose from.
import { all } from '@yagura/core/all';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { inputFacts } from '@yagura/core/resource/define-resource';
import type { FieldFacts } from '@yagura/core/resource/field';
import type { Api } from '../signin/api.server.ts';
import type { References } from '../ui/references.ts';
import { nameOf } from './references.server.ts';

type Row = Record<string, unknown>;

/** As many candidates as one request gives. */
const maxCandidates = 1000;

/** Everything that the input's reference fields may name, by resource. What may not be listed is left out. */
export async function candidatesFor(api: Api, resource: AnyResource): Promise<References> {
  const names = referredIn(inputFacts(resource));
  const found = await Promise.all(
    [...names].map(async (name) => {
      const target = all.find((known) => known.name === name);
      if (!target || target.path.includes('{')) return [name, {}] as const;
      const page = await api
        .client<Row, unknown>(target)
        .list({ limit: maxCandidates, sort: target.title })
        .catch(() => ({ items: [] as Row[] }));
      return [
        name,
        Object.fromEntries(page.items.map((item) => [item[target.id], { name: nameOf(target, item) }])),
      ] as const;
    }),
  );
  return Object.fromEntries(found);
}

function referredIn(facts: Record<string, FieldFacts>, found = new Set<string>()): Set<string> {
  for (const fact of Object.values(facts)) {
    if (fact.resource) found.add(fact.resource);
    if (fact.item) referredIn({ item: fact.item }, found);
    if (fact.fields) referredIn(fact.fields, found);
    for (const variant of Object.values(fact.variants ?? {})) referredIn(variant, found);
  }
  return found;
}
