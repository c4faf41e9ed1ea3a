// Context of a handler: services, caller and request data.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { PathParams } from '@yagura/core/resource/client';
import type { AuditWriter, RequestOrigin } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import type { KeyedHash } from '../common/secrets/server-secret.ts';
import type { ChangePublisher } from '../db/change-bus.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import type { Principal } from '../identity/principal.ts';
import type { Sealing } from './sealing/sealed-fields.ts';

/** What the generic handlers of a resource need; a behavior that needs more extends it. */
export interface ResourceServices {
  database: Database;
  clock: Clock;
  log: Log;
  nextId: NextId;
  audit: AuditWriter;
  changes: ChangePublisher;
  /** Encrypts secrets in settings and requests, and decrypts them for permitted readers. */
  sealing: Sealing;
  secret: KeyedHash;
  pipeline: DecisionLock;
  visibility: ItemVisibility;
}

/** Row-level conditions of any resource, for callers that know it only by name. */
export interface ItemVisibility {
  /** Whether the caller sees only some items of the resource. */
  isNarrowed(context: RequestContext, resource: string): boolean;
  /** Which of these items of a resource are visible to the caller. */
  visibleIds(
    db: Queryable,
    context: RequestContext,
    resource: string,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>>;
}

/** What a write changes: settings that rule evaluation reads, or only state, which it reads and writes. */
export type LockedWriteKind = 'settings' | 'state';

export interface DecisionLock {
  /**
   * Runs a transaction serialized with rule evaluation, and `after` before the next one starts. The next evaluation reads
   * changed `settings` again, also that of another server.
   */
  withPipelineLock<T>(
    kind: LockedWriteKind,
    work: (tx: Transaction) => Promise<T>,
    after: (result: T) => void,
  ): Promise<T>;
}

export interface RequestContext<Services extends ResourceServices = ResourceServices> {
  services: Services;
  principal: Principal;
  spaceId: string;
  /** Network address of the caller, as reported by a trusted proxy if there is one. */
  address: string;
  /** Path parameters: the parents' ids and the item's own. */
  params: PathParams;
  query: Record<string, unknown>;
  /** The caller's language; `t` translates to it. */
  language: Language;
  t: Translate;
  /** Origin of the call. */
  from: RequestOrigin;
  /** Throws a 403 naming the missing permission. */
  require(...anyOf: string[]): void;
  /** Whether the caller has any of these permissions. */
  may(...anyOf: string[]): boolean;
}
