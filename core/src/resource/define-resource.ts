// The grammar of resources: one descriptor says what a resource is; clients, screens, commands, handlers and documents derive from it.
import type { z } from 'zod';
import { type FieldMeta, shapeFields } from './field.ts';

export { editMethods, fillPath, pathParameters } from './path.ts';

/** The rooms of the product; the same word is a folder, a URL segment, a command and the first part of a permission. */
export type App =
  | 'alerthub'
  | 'space'
  | 'sonar'
  | 'greac'
  | 'kroker'
  | 'pigeon'
  | 'ksocket'
  | 'contract'
  | 'work'
  | 'devtool';

export const verbs = ['list', 'show', 'create', 'edit', 'remove'] as const;
export type Verb = (typeof verbs)[number];

/** The last part of the permission string that a verb needs. */
export const verbPermission = {
  list: 'list',
  show: 'get',
  create: 'create',
  edit: 'update',
  remove: 'delete',
} as const;

export interface Noun {
  en: readonly [one: string, many: string];
  ja: string;
}

/** A call beside the five verbs. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Suffix after the item's path, or after the collection's. Empty for none. */
  path: string;
  on: 'item' | 'collection';
  /** Last part of the permission, after the resource's own. */
  permission: string;
  /** Asks before it is done. */
  danger?: boolean;
  body?: z.ZodType;
  /** What the query string may say; texts of whole numbers count as numbers. */
  query?: z.ZodObject;
  reply?: z.ZodType;
  /** The reply is a list page of `reply`. */
  paged?: boolean;
}

export interface Descriptor<S extends z.ZodObject, I extends z.ZodObject> {
  app: App;
  /** Singular, kebab-case, unique over the product. */
  name: string;
  /** Plural, as in URLs and commands; the name plus s when absent. */
  plural?: string;
  noun: Noun;
  /** API path of the collection (of the thing itself when `singleton`), parents in braces. */
  path: string;
  /** API path of one item when it is not the collection's plus the id. */
  itemPath?: string;
  /** Path in the console, with `:` parameters as in the site map; absent when the resource has no screen of its own. */
  screen?: string;
  /** Name of the field that identifies an item among its siblings. */
  id: keyof z.output<S> & string;
  /** Field that names an item to a person; the id when absent. */
  title?: keyof z.output<S> & string;
  /** Name of the resource whose items hold this one. */
  parent?: string;
  singleton?: boolean;
  shape: S;
  /** Body of create and edit. */
  input?: I;
  /** How an edit is sent: the whole thing, only the changed fields, or either. */
  update?: 'put' | 'patch' | 'both';
  verbs: readonly Verb[];
  /** Columns of a list, the first ones being the default view. */
  columns: readonly (keyof z.output<S> & string)[];
  /** Fields of the info table; the columns when absent. */
  detail?: readonly (keyof z.output<S> & string)[];
  /** Fields that can be filtered; top-level or dotted. */
  filterable?: readonly string[];
  sortable?: readonly string[];
  /** Sort list used when none is asked for; newest first when absent. */
  defaultSort?: string;
  /** Field that `sinceAt` and `untilAt` bound. */
  time?: keyof z.output<S> & string;
  /** The list takes `search`: words that are looked for in everything that an item says. */
  searchable?: boolean;
  /** Fields that must be unique among siblings. */
  unique?: readonly (keyof z.output<S> & string)[];
  /** First two parts of the permission strings. */
  permission: string;
  calls?: Record<string, Call>;
}

/** A descriptor with everything derivable filled in. `T` is the item, `N` the input. */
export interface Resource<T = Record<string, unknown>, N = Record<string, unknown>> {
  app: App;
  name: string;
  plural: string;
  noun: Noun;
  path: string;
  itemPath: string;
  screen: string | undefined;
  id: string;
  title: string;
  parent: string | undefined;
  singleton: boolean;
  shape: z.ZodObject;
  input: z.ZodObject | undefined;
  update: 'put' | 'patch' | 'both';
  verbs: readonly Verb[];
  columns: readonly string[];
  detail: readonly string[];
  filterable: readonly string[];
  sortable: readonly string[];
  defaultSort: string;
  time: string | undefined;
  searchable: boolean;
  unique: readonly string[];
  permission: string;
  calls: Record<string, Call>;
  /** Never set; carries the types. */
  readonly types?: { item: T; input: N };
}

/** What resources of any type have in common. */
// biome-ignore lint/suspicious/noExplicitAny: the type parameters are phantom, any is what makes every resource assignable
export type AnyResource = Resource<any, any>;
export type Item<R> = R extends Resource<infer T, unknown> ? T : never;
export type Input<R> = R extends Resource<infer _T, infer N> ? N : never;

export function defineResource<S extends z.ZodObject, I extends z.ZodObject>(
  descriptor: Descriptor<S, I>,
): Resource<z.output<S>, z.input<I>> {
  const scalar = Object.entries(shapeFields(descriptor.shape))
    .filter(([, meta]) => isScalar(meta))
    .map(([name]) => name);
  return {
    ...descriptor,
    plural: descriptor.plural ?? `${descriptor.name}s`,
    itemPath:
      descriptor.itemPath ??
      (descriptor.singleton ? descriptor.path : `${descriptor.path}/{${descriptor.id}}`),
    screen: descriptor.screen,
    title: descriptor.title ?? descriptor.id,
    parent: descriptor.parent,
    singleton: descriptor.singleton ?? false,
    input: descriptor.input,
    update: descriptor.update ?? 'put',
    detail: descriptor.detail ?? descriptor.columns,
    filterable: descriptor.filterable ?? scalar,
    sortable: descriptor.sortable ?? scalar,
    defaultSort:
      descriptor.defaultSort ?? `-${'createdAt' in descriptor.shape.shape ? 'createdAt' : descriptor.id}`,
    time: descriptor.time,
    searchable: descriptor.searchable ?? false,
    unique: descriptor.unique ?? [],
    calls: descriptor.calls ?? {},
  };
}

/** The permission a verb or an extra call needs, e.g. `alerthub:scopes:list`. */
export function permissionFor(resource: AnyResource, verb: Verb | string): string {
  const last = verb in verbPermission ? verbPermission[verb as Verb] : resource.calls[verb]?.permission;
  if (!last) throw new Error(`${resource.name} has no call ${verb}`);
  return `${resource.permission}:${last}`;
}

/** Facts of the fields of an item, in the order of the shape. */
export function itemFields(resource: AnyResource): Record<string, FieldMeta> {
  return shapeFields(resource.shape);
}

/** Facts of the fields of an input, empty when the resource takes none. */
export function inputFields(resource: AnyResource): Record<string, FieldMeta> {
  return resource.input ? shapeFields(resource.input) : {};
}

function isScalar(field: FieldMeta): boolean {
  return !['list', 'key-values', 'object', 'variant', 'json', 'secret', 'long-text', 'template'].includes(
    field.kind,
  );
}
