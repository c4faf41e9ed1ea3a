// Loads the names offered by a form's reference fields.
import { resources } from '@yagura/core/all';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { inputFields } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { Api } from '../../signin/api.server.ts';
import { maxReferenceOptions, type ReferenceOptions, type References } from '../../ui/references.ts';
import { ifPermitted } from '../if-permitted.server.ts';
import { itemName, resolveReferences } from '../references.server.ts';

type Row = Record<string, unknown>;

/**
 * Returns what the input's reference fields can refer to, by resource: up to a limit, and everything that the form's
 * values refer to. Resources that the user may not list are left out.
 */
export async function referenceOptions(
  api: Api,
  resource: AnyResource,
  values?: Row,
): Promise<ReferenceOptions> {
  const [options, used] = await Promise.all([
    listOptions(api, resource),
    values ? resolveReferences(api, inputFields(resource), [values]) : ({} as References),
  ]);
  return Object.fromEntries(
    Object.entries(options).map(([name, names]) => [name, { ...withoutDeleted(used[name]), ...names }]),
  );
}

/** An input names a deleted item by its id. */
function withoutDeleted(names: References[string] = {}): ReferenceOptions[string] {
  return Object.fromEntries(
    Object.entries(names).flatMap(([id, reference]) => (reference ? [[id, reference]] : [])),
  );
}

async function listOptions(api: Api, resource: AnyResource): Promise<ReferenceOptions> {
  const names = referencedResources(inputFields(resource));
  const found = await Promise.all(
    [...names].map(async (name) => {
      const target = resources.find((known) => known.name === name);
      if (!target || target.path.includes('{')) return [name, {}] as const;
      const load = () =>
        api.client<Row, unknown>(target).list({ limit: maxReferenceOptions, sort: target.title });
      const page = await ifPermitted(api, target, 'list', load, { items: [] });
      return [
        name,
        Object.fromEntries(page.items.map((item) => [item[target.id], { name: itemName(target, item) }])),
      ] as const;
    }),
  );
  return Object.fromEntries(found);
}

function referencedResources(meta: Record<string, FieldMeta>, found = new Set<string>()): Set<string> {
  for (const field of Object.values(meta)) {
    if (field.resource) found.add(field.resource);
    // The choices of the field beside it name resources.
    for (const name of (field.resourceBy && meta[field.resourceBy]?.options) || []) found.add(name);
    if (field.item) referencedResources({ item: field.item }, found);
    if (field.fields) referencedResources(field.fields, found);
    for (const variant of Object.values(field.variants ?? {})) referencedResources(variant, found);
  }
  return found;
}
