// Relations that `$expand` of a list or an item includes: the items to which its own fields refer.
import { type AnyResource, itemFields } from './define-resource.ts';

/** Name of each relation (`ruleId` is the relation `rule`) with the resource it leads to. Only AlertHub has relations. */
export function expandableRelations(resource: AnyResource): Record<string, string> {
  if (resource.app !== 'alerthub') return {};
  const references = Object.entries(itemFields(resource)).filter(
    ([name, field]) => field.kind === 'reference' && field.resource !== undefined && /.Id$/.test(name),
  );
  return Object.fromEntries(references.map(([name, field]) => [name.replace(/Id$/, ''), field.resource!]));
}
