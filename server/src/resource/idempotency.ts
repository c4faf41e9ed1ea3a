// Idempotent creates and calls: for 24 hours a repeated Idempotency-Key returns the first reply, and nothing is done
// again.
import { parseExactJson, printExactJson } from '@yagura/core/http/exact-json';
import { Problem } from '@yagura/core/http/problem';
import { exactFields } from '@yagura/core/resource/exact-position';
import type { FastifyRequest } from 'fastify';
import { isoTime } from '../common/clock.ts';
import type { Queryable } from '../db/database.ts';
import type { RequestContext } from './request-context.ts';

const keyLifetimeMs = 24 * 60 * 60 * 1000;
const maxKeyLength = 255;
/** Milliseconds after which an unfinished first request counts as dead and a retry may replace it. */
const lockTimeoutMs = 60 * 1000;

/** Values of `idempotency.status`. */
const underWay = 0;
const replied = 201;
/** The change is committed; its reply was not stored before the process stopped. */
const doneWithoutReply = 202;

/** What a request with an Idempotency-Key stores for repeats. */
export interface IdempotentReply {
  /**
   * Stores the reply in the transaction of the change: a crash leaves both or neither. Throws a 409 if another
   * request has taken over the key.
   */
  keep(db: Queryable, reply: unknown): Promise<void>;
  /** Same, before the reply is known: after a crash a repeat is a 409, and nothing is done twice. */
  markDone(tx: Queryable): Promise<void>;
}

/** For requests without a key. */
export const withoutKey: IdempotentReply = { keep: async () => undefined, markDone: async () => undefined };

/** Runs `work` once per key. The same key with another body, or while the first request is in progress, is a 409. */
export async function withIdempotencyKey<T>(
  context: RequestContext,
  request: FastifyRequest,
  work: (reply: IdempotentReply) => Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return work(withoutKey);
  if (key.length > maxKeyLength)
    throw new Problem('invalid', { detail: context.t('refusal.key-length', { max: maxKeyLength }) });
  const { database, clock } = context.services;
  const identity = [context.spaceId, context.principal.apiTokenId ?? context.principal.userId, key];
  const { sealing, secret } = context.services;
  // A keyed hash, since a body may contain a password that is easy to guess.
  const hash = secret.keyedHash(
    `request ${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`,
  );
  const since = isoTime(clock.now());
  await database.query('delete from idempotency where created_at < $1', [
    isoTime(clock.now() - keyLifetimeMs),
  ]);
  const claimed = await database.query(
    `insert into idempotency (space_id, caller, key, request_hash, status, reply, created_at)
     values ($1, $2, $3, $4, 0, '{}', $5)
     on conflict (space_id, caller, key) do update set created_at = excluded.created_at
     where idempotency.status = 0 and idempotency.request_hash = excluded.request_hash
       and (idempotency.created_at < $6 or idempotency.created_at > $7)`,
    // One from the future began while the clock was ahead.
    [
      ...[...identity, hash, since],
      isoTime(clock.now() - lockTimeoutMs),
      isoTime(clock.now() + lockTimeoutMs),
    ],
  );
  if (claimed.rowCount === 0) return (await findFirstReply(context, identity, hash)) as T;
  const setStatus = async (db: Queryable, status: number, reply: object) => {
    const kept = await db.query(
      `update idempotency set status = $5, reply = $6
       where space_id = $1 and caller = $2 and key = $3 and created_at = $4 and status <> 201`,
      [...identity, since, status, JSON.stringify(reply)],
    );
    if (kept.rowCount === 0) throw new Problem('conflict', { detail: context.t('refusal.key-taken-over') });
  };
  try {
    return await work({
      keep: (db, reply) =>
        setStatus(db, replied, {
          sealed: sealing.seal(context.spaceId, printExactJson(withoutSecret(reply))),
        }),
      markDone: (tx) => setStatus(tx, doneWithoutReply, {}),
    });
  } catch (error) {
    await database.query(
      `delete from idempotency
       where space_id = $1 and caller = $2 and key = $3 and status = 0 and created_at = $4`,
      [...identity, since],
    );
    throw error;
  }
}

type ReplayRefusal = `refusal.key-${'failed' | 'of-other' | 'in-progress' | 'without-reply'}`;

async function findFirstReply(context: RequestContext, identity: string[], hash: Buffer): Promise<unknown> {
  const { rows } = await context.services.database.query<{
    request_hash: Buffer;
    status: number;
    reply: Record<string, unknown>;
  }>(
    'select request_hash, status, reply from idempotency where space_id = $1 and caller = $2 and key = $3',
    identity,
  );
  const first = rows[0];
  const conflict = (key: ReplayRefusal) => new Problem('conflict', { detail: context.t(key) });
  if (!first) throw conflict('refusal.key-failed');
  if (!first.request_hash.equals(hash)) throw conflict('refusal.key-of-other');
  if (first.status === underWay) throw conflict('refusal.key-in-progress');
  if (first.status === doneWithoutReply) throw conflict('refusal.key-without-reply');
  const { sealed } = first.reply;
  // Replies stored before encryption was introduced are plain.
  if (typeof sealed !== 'string' || Object.keys(first.reply).length > 1) return first.reply;
  return parseExactJson(context.services.sealing.open(context.spaceId, sealed), exactFields);
}

/** A token is shown once and never stored. */
function withoutSecret(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null) return reply;
  const { token: _token, ...rest } = reply as Record<string, unknown>;
  return rest;
}
