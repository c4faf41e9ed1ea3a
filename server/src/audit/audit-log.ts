// Audit log of a space: who did what, when and from where, as a tamper-evident hash chain.
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ServerSecret } from '../common/secrets/server-secret.ts';
import type { Database, Queryable } from '../db/database.ts';
import { retryWhileUnavailable } from '../db/retry-while-unavailable.ts';
import type { Anchor, AnchorStore } from './anchor-store.ts';
import { type AuditChain, isSealed, lockChain, readChain, writeChain } from './chain.ts';
import { createExpiryRemover } from './expired-records.ts';

export interface Actor {
  kind: 'person' | 'api-token' | 'guest' | 'server';
  userId: string | null;
  name: string;
  apiTokenId?: string | undefined;
  apiTokenName?: string | undefined;
}

export interface RequestOrigin {
  /** Network address of the caller; empty when the server itself acts. */
  address: string;
  userAgent: string;
}

export interface AuditEntry {
  actor: Actor;
  from: RequestOrigin;
  /** A verb of a resource, the name of one of its calls, or a sign-in event. */
  action: string;
  outcome: 'done' | 'refused' | 'failed';
  /** Name of a resource descriptor, or a part of the sign-in. */
  resource: string;
  resourceId?: string | null | undefined;
  detail?: string | undefined;
  /** Fields before and after the change, without secrets. */
  before?: unknown;
  after?: unknown;
}

/** Records who changed what. */
export interface AuditWriter {
  /**
   * Adds a record within the caller's transaction. Call it last: it locks the chain, so other writers wait
   * until commit.
   */
  write(tx: Queryable, entry: AuditEntry): Promise<void>;
  /** Adds a record in its own transaction. */
  record(entry: AuditEntry): Promise<void>;
}

export interface AuditLog extends AuditWriter {
  /**
   * Adds a record after the reply, in call order. While the database is unavailable, up to 1,000 records wait
   * in memory; a record that cannot be written is logged.
   */
  enqueue(entry: AuditEntry): void;
  /** Verifies the chain. `told`: chain heads copied from the server log. */
  verify(loggedAnchors?: readonly Anchor[]): Promise<AuditVerification>;
  /** Retention in days; null for unlimited. */
  retentionDays: number | null;
  /** Deletes records past the retention and writes the anchor. */
  applyRetention(): Promise<void>;
  /** Writes the current chain head to the anchor store. */
  writeAnchor(): Promise<void>;
  /** Resolves when all queued records are written. */
  flush(): Promise<void>;
  /** Tries the queued records once more, without waiting for an unavailable database. */
  close(): Promise<void>;
}

/**
 * `firstBroken` is the number of the first record that is missing or does not match the chain; null when
 * intact.
 */
export interface AuditVerification {
  intact: boolean;
  checked: number;
  firstBroken: number | null;
  lastNumber: number;
}

export interface AuditOptions {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  spaceId: string;
  secret: Pick<ServerSecret, 'keyedHash'>;
  /** Retention in days; 0 for unlimited. */
  retentionDays: number;
  /** Stores the chain head outside the database; no anchors are written when absent. */
  anchors?: AnchorStore;
}

interface AuditRow {
  auditRecordId: string;
  number: string;
  at: string;
  actorKind: string;
  actorId: string | null;
  actorName: string;
  apiTokenId: string | null;
  /** Null in records from before names were kept, too. */
  apiTokenName: string | null;
  address: string;
  userAgent: string;
  action: string;
  outcome: string;
  resource: string;
  resourceId: string | null;
  detail: string | null;
  before: unknown;
  after: unknown;
}

const columns = `audit_record_id as "auditRecordId", number::text as number, at, actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", api_token_id as "apiTokenId", api_token_name as "apiTokenName", address, user_agent as "userAgent", action, outcome,
  resource, resource_id as "resourceId", detail, before, after, hash`;
const pageSize = 1_000;
/** Interval in milliseconds at which the chain head is written to the server log. */
const anchorLogIntervalMs = 3_600_000;
/** Maximum queued records. */
const maxQueued = 1_000;

export function createAuditLog(options: AuditOptions): AuditLog {
  const { database, clock, nextId, log, spaceId, secret, retentionDays, anchors: anchorStore } = options;
  const removeExpired = createExpiryRemover(options);
  let isTold = false;
  let toldAt = Number.NEGATIVE_INFINITY;
  /** Resolves when all queued records are written, in order. */
  let line: Promise<void> = Promise.resolve();
  let queued = 0;
  const closed = new AbortController();

  async function write(
    tx: Queryable,
    entry: AuditEntry,
    { auditRecordId = nextId(), at = isoTime(clock.now()) } = {},
  ): Promise<void> {
    const chain = await lockChain(tx, secret, spaceId);
    const { actor, from } = entry;
    const row: AuditRow = {
      auditRecordId,
      number: String(chain.lastNumber + 1n),
      at,
      actorKind: actor.kind,
      actorId: actor.userId,
      actorName: plainText(actor.name, 200),
      apiTokenId: actor.apiTokenId ?? null,
      apiTokenName: actor.apiTokenName === undefined ? null : plainText(actor.apiTokenName, 200),
      address: plainText(from.address, 100),
      userAgent: plainText(from.userAgent, 300),
      action: entry.action,
      outcome: entry.outcome,
      resource: entry.resource,
      resourceId: entry.resourceId ?? null,
      detail: entry.detail === undefined ? null : plainText(entry.detail, 1_000),
      before: toStorable(entry.before),
      after: toStorable(entry.after),
    };
    const hash = secret.keyedHash(hashInput(chain.lastHash, row));
    await tx.query(
      {
        name: 'audit_record_insert',
        text: `insert into audit_record (audit_record_id, space_id, number, at, actor_kind, actor_id, actor_name,
           api_token_id, address, user_agent, action, outcome, resource, resource_id, detail, before, after, hash,
           api_token_name)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
      },
      [
        row.auditRecordId,
        spaceId,
        row.number,
        row.at,
        row.actorKind,
        row.actorId,
        row.actorName,
        row.apiTokenId,
        row.address,
        row.userAgent,
        row.action,
        row.outcome,
        row.resource,
        row.resourceId,
        row.detail,
        row.before === null ? null : JSON.stringify(row.before),
        row.after === null ? null : JSON.stringify(row.after),
        hash,
        row.apiTokenName,
      ],
    );
    await writeChain(tx, secret, spaceId, chain, { lastNumber: BigInt(row.number), lastHash: hash });
  }

  const record = (entry: AuditEntry) => database.transaction((tx) => write(tx, entry));

  /**
   * Adds a record once the database is available, with the time at which it was queued; only once, even if the
   * reply to a commit was lost.
   */
  async function recordWhenAvailable(entry: AuditEntry, at: string): Promise<void> {
    const auditRecordId = nextId();
    const isWritten = async (tx: Queryable) =>
      (await tx.query('select 1 from audit_record where audit_record_id = $1', [auditRecordId])).rowCount > 0;
    let isRepeated = false;
    await retryWhileUnavailable(
      () =>
        database.transaction(async (tx) => {
          if (!(isRepeated && (await isWritten(tx)))) await write(tx, entry, { auditRecordId, at });
        }),
      {
        clock,
        signal: closed.signal,
        onUnavailable(error) {
          isRepeated = true;
          log({ level: 'warn', message: 'The audit log waits for the database', ...errorFields(error) });
        },
      },
    );
  }

  /**
   * Verifies all retained records and compares both ends of the chain with its row and the known anchors.
   */
  async function verify(loggedAnchors: readonly Anchor[] = []): Promise<AuditVerification> {
    const noted = await anchorStore?.read(spaceId);
    const anchors = [...(noted ? [noted] : []), ...loggedAnchors];
    const reached = Math.max(0, ...anchors.map(({ number }) => number));
    const chain = await readChain(database, spaceId, { locked: false });
    if (!chain) {
      const { rows } = await database.query('select 1 from audit_record where space_id = $1 limit 1', [
        spaceId,
      ]);
      const intact = reached === 0 && rows.length === 0;
      return { intact, checked: 0, firstBroken: intact ? null : 1, lastNumber: 0 };
    }
    const lastNumber = Number(chain.lastNumber);
    let number = chain.keptAfter;
    let hash = chain.keptHash;
    let checked = 0;
    const broken = (at: bigint) => ({ intact: false, checked, firstBroken: Number(at), lastNumber });
    const misses = (anchor: Anchor) =>
      BigInt(anchor.number) === number && anchor.hash !== hash.toString('hex');
    while (true) {
      const { rows } = await database.query<AuditRow & { hash: Buffer }>(
        `select ${columns} from audit_record where space_id = $1 and number > $2 and number <= $3
         order by audit_record.number limit $4`,
        [spaceId, String(number), String(chain.lastNumber), pageSize],
      );
      for (const { hash: kept, ...row } of rows) {
        const expected = secret.keyedHash(hashInput(hash, row));
        if (BigInt(row.number) !== number + 1n || !expected.equals(kept)) return broken(number + 1n);
        number += 1n;
        hash = kept;
        checked++;
        if (anchors.some(misses)) return broken(number);
      }
      if (rows.length < pageSize) break;
    }
    const isWhole = number === chain.lastNumber && hash.equals(chain.lastHash) && reached <= lastNumber;
    const isOwn = isSealed(secret, spaceId, chain);
    if (!isWhole || !isOwn) return broken(number + 1n);
    return { intact: true, checked, firstBroken: null, lastNumber };
  }

  async function applyRetention(): Promise<void> {
    await removeExpired();
    await anchor();
  }

  /**
   * Writes the chain head to the anchor store. Never moves an anchor backwards; logs an error when the chain
   * no longer contains it.
   */
  async function anchor(): Promise<void> {
    if (!anchorStore) return;
    const chain = await readChain(database, spaceId, { locked: false });
    const known = await anchorStore.read(spaceId);
    if (known && !(await isHeld(known, chain))) {
      if (!isTold) log({ level: 'error', message: 'The audit log lacks what its anchor knows of', spaceId });
      isTold = true;
      return;
    }
    if (!chain || Number(chain.lastNumber) === (known?.number ?? 0)) return;
    const next = { number: Number(chain.lastNumber), hash: chain.lastHash.toString('hex') };
    await anchorStore.write(spaceId, next);
    if (clock.now() - toldAt < anchorLogIntervalMs) return;
    toldAt = clock.now();
    log({ level: 'info', message: 'Audit log', head: `${spaceId}:${next.number}:${next.hash}` });
  }

  /** Whether the chain still contains the anchored record, or retention has deleted it. */
  async function isHeld({ number, hash }: Anchor, chain: AuditChain | null): Promise<boolean> {
    if (!chain || BigInt(number) > chain.lastNumber) return false;
    if (BigInt(number) <= chain.keptAfter) return true;
    const { rows } = await database.query<{ hash: Buffer }>(
      'select hash from audit_record where space_id = $1 and number = $2',
      [spaceId, number],
    );
    return rows[0]?.hash.toString('hex') === hash;
  }

  async function flush(): Promise<void> {
    for (let seen: unknown; seen !== line; ) {
      seen = line;
      await line;
    }
  }

  return {
    retentionDays: retentionDays === 0 ? null : retentionDays,
    write,
    record,
    enqueue(entry) {
      const refuse = (error: unknown) =>
        log({ level: 'error', message: 'Not written to the audit log', ...errorFields(error) });
      if (queued === maxQueued) return refuse(new Error(`${maxQueued} records wait for the database`));
      queued++;
      const at = isoTime(clock.now());
      line = line
        .then(() => recordWhenAvailable(entry, at))
        .catch(refuse)
        .finally(() => queued--);
    },
    verify,
    applyRetention,
    writeAnchor: anchor,
    flush,
    close() {
      closed.abort();
      return flush();
    },
  };
}

/**
 * Input of a record's hash: all its fields and the previous hash. A missing name of a token is left out, as in records
 * from before names were kept.
 */
function hashInput(previous: Buffer, row: AuditRow): string {
  const { before, after, ...rest } = row;
  const fields = Object.keys(rest)
    .filter((name) => name !== 'apiTokenName' || rest.apiTokenName !== null)
    .sort()
    .map((name) => [name, rest[name as keyof typeof rest]]);
  return `audit ${previous.toString('hex')} ${JSON.stringify([...fields, sortKeys(before), sortKeys(after)])}`;
}

/** JSON columns do not preserve key order, so the hash must not depend on it. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => [name, sortKeys(one)]);
}

/** Normalizes a value as it reads back from the database: no undefined fields, dates as text. */
function toStorable(value: unknown): unknown {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}

function plainText(text: string, maxLength: number): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, maxLength);
}
