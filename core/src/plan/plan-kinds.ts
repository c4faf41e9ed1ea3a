// Kinds of configuration that files can describe, in dependency order.
import { resources } from '../all.ts';
import { type AnyResource, type App, inputFields, pathParameters } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { user } from '../space/user.ts';
import { userGroupMember } from './user-group-member.ts';

/** Apps whose resources are users, machines with keys, or runs; few of them can be created from files. */
const appsWithoutConfiguration: ReadonlySet<App> = new Set([
  'space',
  'kroker',
  'contract',
  'work',
  'devtool',
]);

/** Whether items of the kind exist exactly as long as their parent, so that they can only be changed. */
export function isParentPart({ inFiles }: AnyResource): boolean {
  return inFiles === 'with-parent';
}

/** The name of an item from the API; for an item without a name, that of its parent. */
export function identifyingName(resource: AnyResource, item: Record<string, unknown>): string {
  return String(item[resource === userGroupMember ? 'email' : resource.identifiedBy]).trim();
}

/** The metadata of an input, including references inside plain JSON. */
export function planFields(resource: AnyResource): Record<string, FieldMeta> {
  return Object.fromEntries(
    Object.entries(inputFields(resource)).map(([name, field]) => [
      name,
      field.references ? withReferences(field) : field,
    ]),
  );
}

function withReferences(field: FieldMeta): FieldMeta {
  const fields = Object.entries(field.references ?? {}).map(([name, resource]): [string, FieldMeta] => [
    name,
    { kind: 'reference', resource, required: false, nullable: false },
  ]);
  return { ...field, kind: 'object', fields: Object.fromEntries(fields) };
}

/** The resources identified by the path parameters. */
export function parentsOf(resource: AnyResource): AnyResource[] {
  return pathParameters(resource.path).flatMap(
    (parameter) => resources.find((one) => one.id === parameter) ?? [],
  );
}

/** Names of the kinds whose items are below an item of these kinds, and are deleted with it. */
export function kindsBelow(kinds: ReadonlySet<string>): Set<string> {
  const below = new Set<string>();
  for (const kind of planKinds)
    if (parentsOf(kind).some(({ name }) => kinds.has(name) || below.has(name))) below.add(kind.name);
  return below;
}

/** Whether the server refuses to delete an item of this kind while others refer to it. A user is removed from them. */
export function isKeptByReferences(kind: string): boolean {
  return kind !== user.name;
}

/** Names of the kinds whose items can keep items of these kinds from being deleted. */
export function kindsKeeping(kinds: ReadonlySet<string>): Set<string> {
  const keeping = planKinds.filter((kind) =>
    referencedResources(planFields(kind)).some((name) => isKeptByReferences(name) && kinds.has(name)),
  );
  return new Set(keeping.map(({ name }) => name));
}

function isPlannable(resource: AnyResource): boolean {
  const { verbs, input, app, id, title, inFiles } = resource;
  if (!input) return false;
  if (inFiles !== undefined) return inFiles !== false;
  if (appsWithoutConfiguration.has(app)) return false;
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
