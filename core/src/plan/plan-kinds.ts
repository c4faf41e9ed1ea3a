// Kinds of configuration that files can describe, in dependency order.
import { resources } from '../all.ts';
import { type AnyResource, inputFields, pathParameters } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { user } from '../space/user.ts';
import { userGroupMember } from './user-group-member.ts';

/**
 * Apps whose resources are users, machines with keys, or runs; except for a few, they cannot be created from
 * files.
 */
const notConfiguration = new Set(['space', 'kroker', 'contract', 'work', 'devtool']);
const configuration = new Set([user.name, 'user-group', userGroupMember.name, 'kroker', 'task-schedule']);
/** Kinds without a name of their own, identified by their parent. */
const parts = new Set(['scan-settings']);

/** Whether items of the kind exist exactly as long as their parent, so that they can only be changed. */
export function isParentPart({ name }: AnyResource): boolean {
  return parts.has(name);
}

/** The field that identifies an item in files; users may share a name, but not an email address. */
export function identifyingField(resource: AnyResource): string {
  return resource.name === user.name ? 'email' : resource.title;
}

/** References in the parameters that a schedule passes to its module. */
const scheduleParamFields: Record<string, FieldMeta> = {
  networkId: { kind: 'reference', resource: 'network', required: false, nullable: false },
};

/** The name of an item from the API; for an item without a name, that of its parent. */
export function identifyingName(resource: AnyResource, item: Record<string, unknown>): string {
  return String(item[resource === userGroupMember ? 'email' : identifyingField(resource)]).trim();
}

/** The metadata of an input, including references inside plain JSON. */
export function planFields(resource: AnyResource): Record<string, FieldMeta> {
  const fields = inputFields(resource);
  const { params } = fields;
  if (resource.name !== 'task-schedule' || !params) return fields;
  return { ...fields, params: { ...params, kind: 'object', fields: scheduleParamFields } };
}

/** The resources identified by the path parameters. */
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
  // A resource without `create` is created by its first edit, so its name must be its id.
  if (!verbs.includes('create') && id !== title) return false;
  return parentsOf(resource).every(isPlannable);
}

/** All kinds, referenced and parent kinds first. */
export const planKinds: readonly AnyResource[] = sortByDependency(
  [...resources, userGroupMember].filter(isPlannable),
);

/** The kind with this name. Throws if files cannot contain it. */
export function planKindNamed(name: string): AnyResource {
  const found = planKinds.find((kind) => kind.name === name);
  if (!found) throw new Error(`files cannot have a ${name}`);
  return found;
}

/** The kind with this plural; undefined if unknown. */
export function planKind(plural: string): AnyResource | undefined {
  return planKinds.find((one) => one.plural === plural);
}

/** Names of the resources that the fields reference. */
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
