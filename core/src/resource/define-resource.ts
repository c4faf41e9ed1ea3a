// Resource descriptors, from which clients, screens, commands, handlers and documentation are derived.
import type { z } from 'zod';
import { type FieldMeta, shapeFields } from './field.ts';
import { kindTraits } from './field-kinds.ts';

export { editMethods, expandPath as fillPath, pathParameters } from './path.ts';
export { permissionFor } from './required-permission.ts';

/**
 * Apps of the product; the name is also a folder, a URL segment, a command and the first part of a
 * permission.
 */
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

export interface Noun {
  en: readonly [one: string, many: string];
  ja: string;
}

/** A call in addition to the five verbs. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Suffix of the item's or the collection's path; may be empty. */
  path: string;
  on: 'item' | 'collection';
  /** Last part of the permission, after the resource's own. */
  permission: string;
  /** Asks for confirmation. */
  danger?: boolean;
  /**
   * Recorded in the audit log; defaults to everything but GET. True for reads of keys, recordings and the log
   * itself, false for calls that change nothing although they have a body.
   */
  audited?: boolean;
  body?: z.ZodType;
  /** Query parameters; integers are given as text. */
  query?: z.ZodObject;
  reply?: z.ZodType;
  /** Media type of a reply that is not JSON; a wildcard if the item determines it. */
  replyType?: string;
  /** The reply is a list page of `reply`. */
  paged?: boolean;
}

export interface Descriptor<
  S extends z.ZodObject,
  I extends z.ZodObject,
  C extends Record<string, Call> = Record<string, Call>,
> {
  app: App;
  /** Singular in kebab case, unique across all resources. */
  name: string;
  /** Plural for URLs and commands; defaults to the name plus s. */
  plural?: string;
  noun: Noun;
  /** API path of the collection (of the item if `singleton`), with parents in braces. */
  path: string;
  /** API path of one item, if it is not the collection's path plus the id. */
  itemPath?: string;
  /** Path in the console with `:` parameters; absent if the resource has no screen. */
  screen?: string;
  /**
   * Where the console shows the list: on a page in the menu (default), on a page that another one links to, or
   * nowhere, if items are only reached from others. Screens below a parent are always linked.
   */
  listPage?: 'menu' | 'linked' | 'none';
  /** Name of the field that identifies an item among its siblings. */
  id: keyof z.output<S> & string;
  /** Field with an item's display name; defaults to the id. */
  title?: keyof z.output<S> & string;
  /** Name of the parent resource. */
  parent?: string;
  singleton?: boolean;
  shape: S;
  /** Body of create and edit. */
  input?: I;
  /** How an edit is sent: the whole item, only the changed fields, or either. */
  update?: 'put' | 'patch' | 'both';
  verbs: readonly Verb[];
  /** List columns; the first ones are shown by default. */
  columns: readonly (keyof z.output<S> & string)[];
  /** Fields of the detail view; defaults to the columns. */
  detail?: readonly (keyof z.output<S> & string)[];
  /** Fields that can be filtered, top-level or dotted. */
  filterable?: readonly string[];
  sortable?: readonly string[];
  /** Default sort list; newest first if absent. */
  defaultSort?: string;
  /** Field to which `sinceAt` and `untilAt` apply. */
  time?: keyof z.output<S> & string;
  /** The list supports `search`: full-text search over the items. */
  searchable?: boolean;
  /** Fields that must be unique among siblings. */
  unique?: readonly (keyof z.output<S> & string)[];
  /** First two parts of the permissions. */
  permission: string;
  calls?: C;
  /**
   * Whether configuration files describe the items; by default those of apps that are configured. Items
   * `with-parent` exist exactly as long as their parent, so that files only change them.
   */
  inFiles?: boolean | 'with-parent';
  /** Field that identifies an item in configuration files; defaults to the title. */
  identifiedBy?: keyof z.output<S> & string;
  /** Resources whose changes also change what the page of an item shows. */
  watches?: readonly string[];
  /** A log of what users do: its changes are no reason to reload what they see. */
  isLog?: boolean;
}

/**
 * A descriptor with all derived values filled in. `T` is the item, `N` the input, `V` the input once validated,
 * `C` the calls with their schemas.
 */
export interface Resource<
  T = Record<string, unknown>,
  N = Record<string, unknown>,
  V = Record<string, unknown>,
  C = Record<string, Call>,
> {
  app: App;
  name: string;
  plural: string;
  noun: Noun;
  path: string;
  itemPath: string;
  screen: string | undefined;
  listPage: 'menu' | 'linked' | 'none';
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
  inFiles: boolean | 'with-parent' | undefined;
  identifiedBy: string;
  watches: readonly string[];
  isLog: boolean;
  /** Never set; only carries the types. */
  readonly types?: { item: T; input: N; validated: V; calls: C };
}

/** Common type of all resources. */
// biome-ignore lint/suspicious/noExplicitAny: the type parameters are phantom, any is what makes every resource assignable
export type AnyResource = Resource<any, any, any, any>;
export type Item<R> = R extends Resource<infer T, unknown, unknown, unknown> ? T : never;
export type Input<R> = R extends Resource<unknown, infer N, unknown, unknown> ? N : never;
/** The body of a create or edit as the schema returns it. */
export type ValidatedInput<R> = R extends Resource<unknown, unknown, infer V, unknown> ? V : never;
export type Calls<R> = R extends Resource<unknown, unknown, unknown, infer C> ? C : never;
/** The query of a call as its schema returns it, or the body of a call without one. */
export type CallInput<C> = C extends { query: z.ZodType<infer Q> }
  ? Q
  : C extends { body: z.ZodType<infer B> }
    ? B
    : unknown;

export function defineResource<
  S extends z.ZodObject,
  I extends z.ZodObject,
  C extends Record<string, Call> = Record<string, Call>,
>(descriptor: Descriptor<S, I, C>): Resource<z.output<S>, z.input<I>, z.output<I>, C> {
  const scalar = Object.entries(shapeFields(descriptor.shape))
    .filter(([, meta]) => kindTraits[meta.kind].scalar)
    .map(([name]) => name);
  return {
    ...descriptor,
    plural: descriptor.plural ?? `${descriptor.name}s`,
    itemPath:
      descriptor.itemPath ??
      (descriptor.singleton ? descriptor.path : `${descriptor.path}/{${descriptor.id}}`),
    screen: descriptor.screen,
    listPage: descriptor.listPage ?? (descriptor.screen?.includes(':') ? 'linked' : 'menu'),
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
    inFiles: descriptor.inFiles,
    identifiedBy: descriptor.identifiedBy ?? descriptor.title ?? descriptor.id,
    watches: descriptor.watches ?? [],
    isLog: descriptor.isLog ?? false,
  };
}

/** Metadata of an item's fields, in the order of the shape. */
export function itemFields(resource: AnyResource): Record<string, FieldMeta> {
  return shapeFields(resource.shape);
}

/** Metadata of an input's fields; empty if the resource has no input. */
export function inputFields(resource: AnyResource): Record<string, FieldMeta> {
  return resource.input ? shapeFields(resource.input) : {};
}

/** The time that `sinceAt` and `untilAt` of a list compare; every list of AlertHub takes them. */
export function periodField({ app, time, shape }: AnyResource): string | undefined {
  return time ?? (app === 'alerthub' && 'createdAt' in shape.shape ? 'createdAt' : undefined);
}

export function isAudited({ method, audited }: Call): boolean {
  return audited ?? method !== 'GET';
}

/** A call that changes something each time. Other methods are repeatable anyway, and files are not kept for repeats. */
export function acceptsIdempotencyKey(call: Call): boolean {
  return call.method === 'POST' && isAudited(call) && call.replyType === undefined;
}
