// What a resource does beyond its descriptor: the server's half of an app room.
import type { Readable } from 'node:stream';
import type { Page } from '@yagura/core/http/page';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Transaction } from '../db/database.ts';
import type { Services } from '../hosting/services.ts';
import type { StoredItem } from './item-store.ts';
import type { Sql } from './list/sql.ts';
import type { Table } from './list/table.ts';
import type { RequestContext } from './request-context.ts';

type Body = Record<string, unknown>;

/** A reply of an extra call: JSON, or anything else with its type. */
export class RawReply {
  readonly body: string | Buffer | Readable;
  readonly headers: Record<string, string>;
  constructor(body: string | Buffer | Readable, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}

/** Hooks run inside the write's transaction; whole replacements take over a verb. */
export interface Behaviour {
  resource: AnyResource;
  /** Awaited before every call: rows that others were told of may still be on their way into the table. */
  beforeCall?(services: Services): Promise<void>;
  table?: Table;
  /** The parent's behaviour, when the parent is not a plain row of `resource` or is narrowed itself. */
  parent?: Behaviour;
  /** Rows that this caller sees, as an SQL condition over the table's aliases; all when undefined. Others are not found. */
  rowFilter?(context: RequestContext, sql: Sql): string | undefined;
  /** Fields whose numbers keep every digit: they come as ExactNumber and may be given back so. */
  exactFields?: readonly string[];
  /** Its writes take their turn with deciding, which reads and writes the same state. */
  serializedWithDecisions?: boolean;
  /** Gives the body to store from the checked input and, on edit, the body stored so far. */
  body?(context: RequestContext, input: Body, before: Body | undefined): Promise<Body> | Body;
  afterWrite?(
    tx: Transaction,
    context: RequestContext,
    id: string,
    body: Body,
    before: Body | undefined,
  ): Promise<void>;
  /** `body` is what was stored. */
  afterRemove?(tx: Transaction, context: RequestContext, id: string, body: Body): Promise<void>;
  /** Last touch before an item leaves; no I/O. */
  present?(context: RequestContext, item: Body): Body;
  list?(context: RequestContext): Promise<Page<Body>>;
  show?(context: RequestContext): Promise<StoredItem | null>;
  create?(context: RequestContext, input: Body): Promise<Body>;
  edit?(context: RequestContext, input: Body, ifMatch: string | undefined): Promise<StoredItem>;
  remove?(context: RequestContext, ifMatch: string | undefined): Promise<void>;
  /** `given` is the checked body of the call, or its checked query when it has one. */
  calls?: Record<string, (context: RequestContext, input: unknown) => Promise<unknown>>;
}
