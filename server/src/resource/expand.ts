// Adds the items that `$expand` asks for to the items of a list, or to one item.
import { resourceNamed } from '@yagura/core/all';
import { invalidField } from '@yagura/core/http/problem';
import { type AnyResource, permissionFor, type Resource } from '@yagura/core/resource/define-resource';
import { expandableRelations } from '@yagura/core/resource/relations';
import type { Behaviour } from './behaviour.ts';
import { findItems } from './find-items.ts';
import { bodyTable } from './list/table.ts';
import type { RequestContext, ResourceServices } from './request-context.ts';

type Body = Record<string, unknown>;
export type BehaviourOf<Services extends ResourceServices> = (
  resource: string,
) => Behaviour<Resource, Services>;

/**
 * The relations that the query asks for, each with its resource. Throws a 400 for a relation that the
 * resource does not have, a 403 if the caller may not read the items it leads to.
 */
export function readExpand(
  resource: AnyResource | undefined,
  context: RequestContext,
): Record<string, string> {
  const given = context.query.$expand;
  if (given === undefined || given === '') return {};
  if (typeof given !== 'string') throw invalidField('$expand', context.t('query.repeated'));
  const known = resource ? expandableRelations(resource) : {};
  const asked = given.split(',').map((name) => name.trim());
  for (const name of asked) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known).join(', ');
    throw invalidField(
      '$expand',
      context.t(names ? 'query.unexpandable' : 'query.no-relations', { name, names }),
    );
  }
  const found = Object.fromEntries(asked.map((name) => [name, known[name]!]));
  for (const target of Object.values(found)) context.require(permissionFor(resourceNamed(target), 'show'));
  return found;
}

/** Each item with the items it refers to; null for a reference that is empty or leads to a deleted item. */
export async function expandItems<Services extends ResourceServices>(
  context: RequestContext<Services>,
  items: readonly Body[],
  relations: Record<string, string>,
  behaviourOf: BehaviourOf<Services>,
): Promise<Body[]> {
  const found = await Promise.all(
    Object.entries(relations).map(async ([relation, target]) => {
      const ids = items.map((item) => item[`${relation}Id`]).filter((id) => typeof id === 'string');
      return [relation, await findTargets(context, behaviourOf(target), [...new Set(ids)])] as const;
    }),
  );
  return items.map((item) => {
    const targets = found.map(([relation, byId]) => [relation, byId.get(item[`${relation}Id`]) ?? null]);
    return { ...item, ...Object.fromEntries(targets) };
  });
}

async function findTargets<Services extends ResourceServices>(
  context: RequestContext<Services>,
  behaviour: Behaviour<Resource, Services>,
  ids: readonly string[],
): Promise<Map<unknown, Body>> {
  const { resource } = behaviour;
  await behaviour.beforeCall?.(context.services);
  const table = behaviour.table ?? bodyTable(resource);
  const found = await findItems(context, resource, table, ids, (sql) => behaviour.rowFilter?.(context, sql));
  return new Map(found.map((item) => [item[resource.id], behaviour.present?.(context, item) ?? item]));
}
