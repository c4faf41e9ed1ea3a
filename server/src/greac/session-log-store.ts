// Stores recordings as they arrive: encrypted chunks of numbered parts, and what the gateway signed at their end.
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { LogVerdict, SessionLogPart, SessionLogParts } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import {
  type LogEnd,
  type LogSeal,
  logEndBytes,
  sealBytes,
} from '@yagura/core/greac/stream/gateway-protocol';
import type { Queryable } from '../db/database.ts';

export interface LogPosition {
  sessionId: string;
  kind: LogKind;
  part: number;
}

/**
 * Stores a chunk. A chunk that is there already stays as it is; one that comes after the retention is dropped. Returns
 * whether it was stored.
 */
export async function insertLogChunk(
  db: Queryable,
  spaceId: string,
  { sessionId, kind, part, chunk, keyId }: LogPosition & { chunk: number; keyId: string },
  body: Uint8Array,
  now: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into greac_log_chunk (session_id, space_id, kind, part, chunk, key_id, body, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8 from greac_session
     where session_id = $1 and logs_deleted_at is null on conflict do nothing`,
    [sessionId, spaceId, kind, part, chunk, keyId, body, now],
  );
  return rowCount > 0;
}

/** Stores the signed end of a part; the first one stays. */
export async function insertLogSeal(
  db: Queryable,
  spaceId: string,
  seal: LogSeal & { signature: string; signingKey: string },
  now: string,
): Promise<void> {
  await db.query(
    `insert into greac_log_seal (session_id, space_id, kind, part, chunks, bytes, digest, started_at, ended_at,
       signature, signing_key, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 from greac_session
     where session_id = $1 and logs_deleted_at is null on conflict do nothing`,
    [
      seal.sessionId,
      spaceId,
      seal.kind,
      seal.part,
      seal.chunks,
      seal.bytes,
      seal.digest,
      seal.startedAt,
      seal.endedAt,
      seal.signature,
      seal.signingKey,
      now,
    ],
  );
}

/** Stores the signed end of a log; the first one stays. */
export async function insertLogEnd(
  db: Queryable,
  spaceId: string,
  end: LogEnd & { signature: string; signingKey: string },
  now: string,
): Promise<void> {
  const { sessionId, kind, parts, bytes, digest, reason, endedAt, signature, signingKey } = end;
  await db.query(
    `insert into greac_log_end (session_id, space_id, kind, parts, bytes, digest, reason, ended_at, signature,
       signing_key, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 from greac_session
     where session_id = $1 and logs_deleted_at is null on conflict do nothing`,
    [sessionId, spaceId, kind, parts, bytes, digest, reason, endedAt, signature, signingKey, now],
  );
}

/** Whether the gateway with this key (Ed25519, base64url) has signed `sealBytes` or `logEndBytes`. */
export function isSigned(bytes: Uint8Array, signature: string, signingKey: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signingKey }, format: 'jwk' });
    return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** Chunks read at a time; a chunk has at most 256 KB. */
const chunksPerQuery = 16;

/** Yields the chunks of a part in their order. */
export async function* readLogChunks(
  db: Queryable,
  spaceId: string,
  { sessionId, kind, part }: LogPosition,
): AsyncGenerator<Buffer> {
  for (let after = -1; ; ) {
    const { rows } = await db.query<{ chunk: number; body: Buffer }>(
      `select chunk, body from greac_log_chunk
       where space_id = $1 and session_id = $2 and kind = $3 and part = $4 and chunk > $5 order by chunk
       limit ${chunksPerQuery}`,
      [spaceId, sessionId, kind, part, after],
    );
    for (const { chunk, body } of rows) {
      yield Buffer.from(body);
      after = chunk;
    }
    if (rows.length < chunksPerQuery) return;
  }
}

interface PartRow extends LogPosition {
  keyId: string | null;
  chunks: number;
  lastChunk: number;
  bytes: string;
  createdAt: string;
  /** The gateway may still add to this part. */
  isOpen: boolean;
  seal: SessionLogPart['seal'];
}

/** The parts of a session's logs with their verdicts. */
export async function listLogParts(
  db: Queryable,
  spaceId: string,
  sessionId: string,
): Promise<SessionLogPart[]> {
  const { rows } = await db.query<PartRow>(
    `with named as (
       select kind, part from greac_log_chunk where space_id = $1 and session_id = $2
       union select kind, part from greac_log_seal where space_id = $1 and session_id = $2)
     select s.session_id as "sessionId", n.kind, n.part, c.key_id as "keyId", coalesce(c.chunks, 0) as chunks,
       coalesce(c.last, -1) as "lastChunk", coalesce(c.bytes, 0)::text as bytes,
       s.status = 'opened' and n.part = max(n.part) over (partition by n.kind) as "isOpen",
       coalesce(c.created_at, l.created_at) as "createdAt",
       case when l.part is null then null else jsonb_build_object('chunks', l.chunks, 'bytes', l.bytes, 'digest', l.digest,
         'startedAt', l.started_at, 'endedAt', l.ended_at, 'signature', l.signature, 'signingKey', l.signing_key)
         end as seal
     from named n join greac_session s on s.space_id = $1 and s.session_id = $2 and s.logs_deleted_at is null
     left join lateral (
       select min(key_id::text) as key_id, count(*)::int as chunks, max(chunk) as last, sum(length(body)) as bytes,
         min(created_at) as created_at
       from greac_log_chunk where session_id = $2 and kind = n.kind and part = n.part having count(*) > 0) c on true
     left join greac_log_seal l on l.session_id = $2 and l.kind = n.kind and l.part = n.part
     order by n.kind, n.part`,
    [spaceId, sessionId],
  );
  const parts: SessionLogPart[] = [];
  for (const row of rows) {
    const { kind, part, keyId, chunks, seal, createdAt } = row;
    const verdict = await verdictOf(db, spaceId, row);
    parts.push({ kind, part, keyId, chunks, bytes: Number(row.bytes), verdict, seal, createdAt });
  }
  return parts;
}

async function verdictOf(db: Queryable, spaceId: string, row: PartRow): Promise<LogVerdict> {
  const { seal, sessionId, kind, part } = row;
  if (!seal) return row.isOpen ? 'open' : 'cut';
  const signed = sealBytes({ sessionId, kind, part, ...seal });
  if (!isSigned(signed, seal.signature, seal.signingKey)) return 'unverified';
  if (row.lastChunk !== row.chunks - 1 || row.chunks < seal.chunks) return 'cut';
  if (row.chunks > seal.chunks || Number(row.bytes) !== seal.bytes) return 'altered';
  const hash = createHash('sha256');
  for await (const body of readLogChunks(db, spaceId, row)) hash.update(body);
  return hash.digest('base64url') === seal.digest ? 'complete' : 'altered';
}

type SignedEnd = SessionLogParts['ends'][number];

/** The signed ends of a session's logs. */
export async function listLogEnds(db: Queryable, spaceId: string, sessionId: string): Promise<SignedEnd[]> {
  const { rows } = await db.query<Omit<SignedEnd, 'bytes' | 'isSigned'> & { bytes: string }>(
    `select e.kind, e.parts, e.bytes::text as bytes, e.digest, e.reason, e.ended_at as "endedAt", e.signature,
       e.signing_key as "signingKey"
     from greac_log_end e join greac_session s using (session_id)
     where e.space_id = $1 and e.session_id = $2 and s.logs_deleted_at is null order by e.kind`,
    [spaceId, sessionId],
  );
  return rows.map((row) => {
    const end = { ...row, bytes: Number(row.bytes) };
    return { ...end, isSigned: isSigned(logEndBytes({ sessionId, ...end }), end.signature, end.signingKey) };
  });
}
