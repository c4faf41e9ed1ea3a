// Server-side behavior of a resource beyond its descriptor: hooks, calls and row-level conditions.
import type { Readable } from 'node:stream';
import type { Page } from '@yagura/core/http/page';
import type {
  AnyResource,
  CallInput,
  Calls,
  Resource,
  ValidatedInput,
} from '@yagura/core/resource/define-resource';
import type { Transaction } from '../db/database.ts';
import type { CallContext } from './call-context.ts';
import type { StoredItem } from './item-store.ts';
import type { Sql } from './list/sql.ts';
import type { Table } from './list/table.ts';
import type { LockedWriteKind, RequestContext, ResourceServices } from './request-context.ts';

type Body = Record<string, unknown>;

/** A raw response of a resource's own call: body and headers are sent unchanged. */
export class RawReply {
  readonly body: string | Buffer | Readable;
  readonly headers: Record<string, string>;
  constructor(body: string | Buffer | Readable, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}

/** A method type, so that a handler with a narrower input fits where calls are served by name. */
type CallHandler<Services extends ResourceServices, Input> = {
  handle(context: CallContext<Services>, input: Input): Promise<unknown>;
}['handle'];

/** An item that a behavior has created in a transaction. */
export interface CreatedItem {
  item: Body;
  /** Called after the commit; publishes the change. */
  onCommitted(): void;
}

/** An item that a behavior has edited in a transaction. */
export interface EditedItem {
  /** For the audit record; null if the edit has made the item. */
  before: Body | null;
  after: StoredItem;
  /** Awaited after the commit; publishes the change. */
  onCommitted(): void | Promise<void>;
}

/**
 * Hooks run inside the write's transaction; a full replacement takes over a verb. `Services` is what the hooks
 * need from the server. Inputs have the types that the schemas of `R` return.
 */
export interface Behaviour<
  R extends AnyResource = Resource,
  in Services extends ResourceServices = ResourceServices,
> {
  resource: AnyResource;
  /** Awaited before every call, for tables whose rows may be announced before they are written. */
  beforeCall?(services: Services): Promise<void>;
  table?: Table;
  /**
   * The parent's behavior, when the parent is not a plain row of `resource` or has row-level conditions
   * itself.
   */
  parent?: Behaviour<Resource, Services>;
  /** Replaces alternative ids in the path's parameters; also runs for the calls of its children. */
  resolvePath?(context: RequestContext<Services>): Promise<void>;
  /**
   * Rows visible to this caller, as an SQL condition over the table's aliases; all rows when undefined. Other
   * rows count as not found.
   */
  rowFilter?(context: RequestContext, sql: Sql): string | undefined;
  /** Fields whose numbers keep every digit: read as ExactNumber, and accepted as such. */
  exactFields?: readonly string[];
  /** Serializes its writes with rule evaluation, which reads and writes the same. */
  serializedWithDecisions?: LockedWriteKind;
  /** Returns the body to store from the validated input and, on edit, the body stored so far. */
  body?(
    context: RequestContext<Services>,
    input: ValidatedInput<R>,
    before: Body | undefined,
  ): Promise<Body> | Body;
  afterWrite?(
    tx: Transaction,
    context: RequestContext<Services>,
    id: string,
    body: Body,
    before: Body | undefined,
  ): Promise<void>;
  /** `body` is the stored body. */
  afterRemove?(tx: Transaction, context: RequestContext<Services>, id: string, body: Body): Promise<void>;
  /** Transforms an item before it is sent; no I/O. */
  present?(context: RequestContext<Services>, item: Body): Body;
  list?(context: RequestContext<Services>): Promise<Page<Body>>;
  show?(context: RequestContext<Services>): Promise<StoredItem | null>;
  /** `tx` also stores the audit record, and the reply for a repeat of the request. */
  create?(tx: Transaction, context: RequestContext<Services>, input: ValidatedInput<R>): Promise<CreatedItem>;
  /**
   * Runs first in the transaction of `edit` and `remove`: locks what they read, so that a version is compared, and a
   * PATCH merged, with the state that the write replaces.
   */
  lock?(tx: Transaction, context: RequestContext<Services>): Promise<void>;
  /** Runs before the transaction of `edit`: what counts attempts, or stays when the edit fails. */
  beforeEdit?(
    context: RequestContext<Services>,
    input: ValidatedInput<R>,
    ifMatch: string | undefined,
  ): Promise<void>;
  /** `tx` also stores the audit record. */
  edit?(
    tx: Transaction,
    context: RequestContext<Services>,
    input: ValidatedInput<R>,
    ifMatch: string | undefined,
  ): Promise<EditedItem>;
  /**
   * The version has been compared with `ifMatch`. `tx` also stores the audit record. What is returned is called after
   * the commit and publishes the change.
   */
  remove?(tx: Transaction, context: RequestContext<Services>): Promise<() => void>;
  /** `input` is the validated query of the call, or its validated body when it has no query. */
  calls?: { [N in keyof Calls<R>]: CallHandler<Services, CallInput<Calls<R>[N]>> };
}
