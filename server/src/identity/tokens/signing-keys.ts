// Keys that sign ID and access tokens, one per algorithm: created when they are first needed, stored encrypted in
// the database, rotated.
import { randomBytes } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { lockSpace } from '../../audit/lock-space.ts';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';

export interface SigningKeys {
  /**
   * Private JWKs, of each algorithm the signing key first. A new array is returned whenever something has
   * changed.
   */
  current(): readonly JWK[];
  /** The key for `kid` that verifies access tokens, reloaded from the database when unknown. */
  verifier(kid: string): Promise<CryptoKey | null>;
  /** Loads the keys of other replicas, creates a new key when due and removes old ones. */
  refresh(): Promise<void>;
  /**
   * Creates the keys of all ID tokens unless the space has them. Finding an RSA key takes up to a second of processor
   * time, so a space has none before somebody signs in.
   */
  prepareIdTokens(): Promise<void>;
}

/** Algorithm of access tokens, which only this server verifies. */
export const accessTokenAlgorithm = 'ES256';
/** RS256 is for ID tokens: every OpenID Connect client supports it (OpenID Connect Discovery 1.0, section 3). */
export const idTokenAlgorithms = [accessTokenAlgorithm, 'RS256'] as const;
type Algorithm = (typeof idTokenAlgorithms)[number];

const day = 86_400_000;
/** Times in milliseconds. A new key is published before it signs, so that every replica knows it. */
export const keyTimes = { signsFor: 90 * day, publishedBefore: 300_000, verifiesAfter: 30 * day };
const refreshAfterMs = 5_000;

interface Row {
  kid: string;
  alg: string;
  privateJwk: Buffer;
  createdAt: string;
  retiredAt: string | null;
}

/** Opens the keys of the space, creating the first one for access tokens if none exists. */
export async function loadSigningKeys(context: IdentityContext): Promise<SigningKeys> {
  const { database, clock, spaceId, secret, log } = context;
  let jwks: readonly JWK[] = [];
  let verifiers = new Map<string, CryptoKey>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let areIdTokensPrepared = false;

  function usable(rows: Row[]): { row: Row; jwk: JWK }[] {
    return rows.flatMap((row) => {
      const text = secret.open(row.privateJwk, sealLabel(spaceId, row.kid));
      return text === null ? [] : [{ row, jwk: JSON.parse(text) as JWK }];
    });
  }

  /** Algorithms that need a new key. */
  function dueAlgorithms(rows: Row[]): Algorithm[] {
    const signing = usable(rows).filter(({ row }) => row.retiredAt === null);
    const isUsed = (algorithm: Algorithm) =>
      algorithm === accessTokenAlgorithm || areIdTokensPrepared || rows.some(({ alg }) => alg === algorithm);
    return idTokenAlgorithms.filter((algorithm) => {
      if (!isUsed(algorithm)) return false;
      const newest = signing.findLast(({ jwk }) => jwk.alg === algorithm);
      return !newest || Date.parse(newest.row.createdAt) + keyTimes.signsFor <= clock.now();
    });
  }

  /** Stores those of the new keys that are still due, and deletes what verifies no more. */
  async function rotate(tx: Queryable, created: readonly JWK[]): Promise<Row[]> {
    await lockSpace(tx, spaceId);
    const now = clock.now();
    await tx.query('delete from oidc_key where space_id = $1 and retired_at < $2', [
      spaceId,
      isoTime(now - keyTimes.verifiesAfter),
    ]);
    const rows = await readKeys(tx, spaceId);
    if (rows.length > 0 && usable(rows).every(({ row }) => row.retiredAt !== null)) {
      log({
        level: 'warn',
        message: 'The signing keys were sealed with another secret; everybody signs in again',
      });
    }
    const due = new Set<string>(dueAlgorithms(rows));
    const stored = created.filter(({ alg }) => due.has(alg!));
    for (const jwk of stored) {
      await insertKey(tx, context, jwk);
      await tx.query(
        `update oidc_key set retired_at = $3
         where space_id = $1 and retired_at is null and created_at < $2 and public_jwk->>'alg' = $4`,
        [spaceId, isoTime(now), isoTime(now + keyTimes.publishedBefore), jwk.alg],
      );
    }
    return stored.length === 0 ? rows : readKeys(tx, spaceId);
  }

  async function adopt(rows: Row[]): Promise<void> {
    lookedAt = clock.now();
    const keys = usable(rows);
    const ordered = [...keys].sort((a, b) => rank(b.row, clock.now()) - rank(a.row, clock.now()));
    const next = ordered.map(({ jwk }) => jwk);
    if (next.map(({ kid }) => kid).join() === jwks.map(({ kid }) => kid).join()) return;
    verifiers = new Map(
      await Promise.all(
        next
          .filter(({ alg }) => alg === accessTokenAlgorithm)
          .map(async (jwk) => [jwk.kid!, (await importJWK(publicPart(jwk))) as CryptoKey] as const),
      ),
    );
    jwks = next;
  }

  async function refresh(): Promise<void> {
    const rows = await readKeys(database, spaceId);
    const due = dueAlgorithms(rows);
    const isOver = ({ retiredAt }: Row) =>
      retiredAt !== null && Date.parse(retiredAt) < clock.now() - keyTimes.verifiesAfter;
    if (due.length === 0 && !rows.some(isOver)) return adopt(rows);
    // Not in the transaction: the only session of the embedded engine would wait for the search of an RSA key.
    const created = await Promise.all(due.map(createKey));
    await adopt(await database.transaction((tx) => rotate(tx, created)));
  }

  await refresh();
  return {
    current: () => jwks,
    refresh,
    async prepareIdTokens() {
      areIdTokensPrepared = true;
      await refresh();
    },
    async verifier(kid) {
      const known = verifiers.get(kid);
      if (known || clock.now() - lookedAt < refreshAfterMs) return known ?? null;
      lookedAt = clock.now();
      await adopt(await readKeys(database, spaceId));
      return verifiers.get(kid) ?? null;
    },
  };
}

/**
 * The highest rank signs: the newest key that every replica must know by now, otherwise the oldest that is
 * not retired.
 */
function rank(row: Row, now: number): number {
  const created = Date.parse(row.createdAt);
  if (row.retiredAt !== null && Date.parse(row.retiredAt) <= now) return created - 3e15;
  return created + keyTimes.publishedBefore <= now ? created : -created;
}

async function readKeys(db: Queryable, spaceId: string): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select kid, public_jwk->>'alg' as alg, private_jwk as "privateJwk", created_at as "createdAt", retired_at as "retiredAt"
     from oidc_key where space_id = $1 order by created_at, kid`,
    [spaceId],
  );
  return rows;
}

async function createKey(alg: Algorithm): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomBytes(12).toString('base64url'), alg, use: 'sig' };
}

async function insertKey(
  tx: Queryable,
  { clock, spaceId, secret }: IdentityContext,
  jwk: JWK,
): Promise<void> {
  await tx.query(
    'insert into oidc_key (kid, space_id, public_jwk, private_jwk, created_at) values ($1, $2, $3, $4, $5)',
    [
      jwk.kid,
      spaceId,
      JSON.stringify(publicPart(jwk)),
      secret.seal(JSON.stringify(jwk), sealLabel(spaceId, jwk.kid!)),
      isoTime(clock.now()),
    ],
  );
}

/** Names the public members, so that a private one is never kept by mistake. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use })) as JWK;
}

function sealLabel(spaceId: string, kid: string): string {
  return `signing key ${spaceId} ${kid}`;
}
