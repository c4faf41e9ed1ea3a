// The kinds of configuration that files can describe, in an order in which an empty space can take them.
import { resources } from '../all.ts';
import { type AnyResource, inputFields, pathParameters } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { user } from '../space/user.ts';
import { userGroupMember } from './user-group-member.ts';

/** Rooms whose things are people, machines and their keys, or runs: no file can make those, but for a few. */
const notConfiguration = new Set(['space', 'kroker', 'contract', 'work', 'devtool']);
const configuration = new Set([user.name, 'user-group', userGroupMember.name, 'kroker', 'task-schedule']);
/** What has no name of its own, and is known by what holds it. */
const parts = new Set(['scan-settings']);

/** An item of the kind is there as long as what holds it, and is changed only. */
export function isParentPart({ name }: AnyResource): boolean {
  return parts.has(name);
}

/** The field by which files know an item: people share names, never addresses. */
export function identifyingField(resource: AnyResource): string {
  return resource.name === user.name ? 'email' : resource.title;
}

/** What a schedule hands to its module, where that refers to things. */
const scheduleParamFields: Record<string, FieldMeta> = {
  networkId: { kind: 'reference', resource: 'network', required: false, nullable: false },
};

/** The name of an item that the API gave; a part goes by what holds it. */
export function identifyingName(resource: AnyResource, item: Record<string, unknown>): string {
  return String(item[resource === userGroupMember ? 'email' : identifyingField(resource)]).trim();
}

/** The facts of an input, with the references that lie in plain JSON. */
export function planFields(resource: AnyResource): Record<string, FieldMeta> {
  const fields = inputFields(resource);
  const { params } = fields;
  if (resource.name !== 'task-schedule' || !params) return fields;
  return { ...fields, params: { ...params, kind: 'object', fields: scheduleParamFields } };
}

/** The resource that a parameter of a path identifies. */
export function parentsOf(resource: AnyResource): AnyResource[] {
  return pathParameters(resource.path).flatMap(
    (parameter) => resources.find((one) => one.id === parameter) ?? [],
  );
}

function isPlannable(resource: AnyResource): boolean {
  const { verbs, input, app, id, name, title } = resource;
  if (!input || (notConfiguration.has(app) && !configuration.has(name))) return false;
  if (isParentPart(resource) || name === userGroupMember.name) return true;
  if (!verbs.includes('list') || !verbs.includes('edit') || !verbs.includes('remove')) return false;
  // What cannot be created is made by its first edit, and then its name must be its id.
  if (!verbs.includes('create') && id !== title) return false;
  return parentsOf(resource).every(isPlannable);
}

/** Every kind, what others refer to or live in before those others. */
export const planKinds: readonly AnyResource[] = sortByDependency(
  [...resources, userGroupMember].filter(isPlannable),
);

/** The kind of that name. Throws when files cannot have it. */
export function planKindNamed(name: string): AnyResource {
  const found = planKinds.find((kind) => kind.name === name);
  if (!found) throw new Error(`files cannot have a ${name}`);
  return found;
}

/** The kind whose plural is that word; undefined when there is none. */
export function planKind(plural: string): AnyResource | undefined {
  return planKinds.find((one) => one.plural === plural);
}

/** Names of the resources that the fields refer to. */
export function referencedResources(shape: Record<string, FieldMeta>): string[] {
  return Object.values(shape).flatMap((field): string[] => {
    const named = field.resourceBy ? (shape[field.resourceBy]?.options ?? []) : [];
    return [
      ...named,
      ...(field.kind === 'reference' && field.resource ? [field.resource] : []),
      ...(field.item ? referencedResources({ item: field.item }) : []),
      ...referencedResources(field.fields ?? {}),
      ...Object.values(field.variants ?? {}).flatMap(referencedResources),
    ];
  });
}

function sortByDependency(kinds: readonly AnyResource[]): AnyResource[] {
  const done: AnyResource[] = [];
  const open = new Set<string>();
  const visit = (kind: AnyResource): void => {
    if (done.includes(kind)) return;
    if (open.has(kind.name)) throw new Error(`${kind.name} refers to itself by way of others`);
    open.add(kind.name);
    const before = [...parentsOf(kind).map(({ name }) => name), ...referencedResources(planFields(kind))];
    for (const name of before) {
      const one = kinds.find((other) => other.name === name);
      if (one && one !== kind) visit(one);
    }
    open.delete(kind.name);
    done.push(kind);
  };
  kinds.forEach(visit);
  return done;
}
