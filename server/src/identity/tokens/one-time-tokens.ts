// One-time tokens of mailed links: random, stored as hashes, bound to a purpose, with a limited lifetime.
import { randomBytes } from 'node:crypto';
import { isoTime } from '../../common/clock.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';

export type TokenPurpose = 'change-password' | 'change-email' | 'restore-email' | 'passkey' | 'link-account';

/**
 * Purposes whose tokens end with the sessions of their user: whoever held a session may have requested them.
 * Those that restore an address stay valid, since they are sent to its owner.
 */
export const purposesEndedWithSessions: readonly TokenPurpose[] = [
  'change-password',
  'change-email',
  'passkey',
  'link-account',
];

export interface TokenPayload {
  userId: string;
  data: Record<string, string>;
}

export type TokenState = ({ state: 'good' } & TokenPayload) | { state: 'unknown' | 'expired' | 'used' };

export interface OneTimeTokens {
  /**
   * Issues a token; earlier ones of the same user and purpose become invalid unless kept. `lifetime` in
   * milliseconds.
   */
  issue(
    db: Queryable,
    options: {
      purpose: TokenPurpose;
      userId: string;
      data?: Record<string, string>;
      lifetime: number;
      keepEarlier?: boolean;
    },
  ): Promise<string>;
  /** Invalidates all unused tokens of a user for these purposes. */
  revoke(db: Queryable, userId: string, purposes: readonly TokenPurpose[]): Promise<void>;
  /**
   * Invalidates the unused tokens of the same user and purpose that were issued after this one, or that have the same
   * value of this field.
   */
  revokeAfter(db: Queryable, purpose: TokenPurpose, token: string, field: string): Promise<void>;
  /** Time at which the earliest unused token of a user for this purpose was issued; null when there is none. */
  firstIssuedAt(db: Queryable, userId: string, purpose: TokenPurpose): Promise<string | null>;
  /** Returns the state of a token without using it up. */
  peek(purpose: TokenPurpose, token: string): Promise<TokenState>;
  /** Uses up a token within the caller's transaction; null when it is invalid or no longer valid. */
  redeem(db: Queryable, purpose: TokenPurpose, token: string): Promise<TokenPayload | null>;
  sweep(): Promise<void>;
}

/** Milliseconds for which expired tokens are distinguished from unknown ones. */
const expiredRetentionMs = 7 * 86_400_000;

interface Row {
  userId: string;
  data: Record<string, string>;
  expiresAt: string;
  usedAt: string | null;
}

/** Generates a token with 256 bits of randomness for a link. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

export function createOneTimeTokens({
  database,
  clock,
  spaceId,
}: Pick<IdentityContext, 'database' | 'clock' | 'spaceId'>): OneTimeTokens {
  async function end(db: Queryable, userId: string, purposes: readonly TokenPurpose[]): Promise<void> {
    await db.query(
      'delete from one_time_token where space_id = $1 and user_id = $2 and purpose = any($3) and used_at is null',
      [spaceId, userId, purposes],
    );
  }

  return {
    revoke: end,

    async issue(db, { purpose, userId, data = {}, lifetime, keepEarlier = false }) {
      const token = newLinkToken();
      const now = clock.now();
      if (!keepEarlier) await end(db, userId, [purpose]);
      await db.query(
        `insert into one_time_token (token_hash, space_id, purpose, user_id, facts, expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          sha256(token),
          spaceId,
          purpose,
          userId,
          JSON.stringify(data),
          isoTime(now + lifetime),
          isoTime(now),
        ],
      );
      return token;
    },

    async revokeAfter(db, purpose, token, field) {
      await db.query(
        `delete from one_time_token o using one_time_token t
         where t.space_id = $1 and t.purpose = $2 and t.token_hash = $3 and o.space_id = t.space_id
           and o.user_id = t.user_id and o.purpose = t.purpose and o.used_at is null
           and (o.created_at >= t.created_at or o.facts->>$4 = t.facts->>$4)`,
        [spaceId, purpose, sha256(token), field],
      );
    },

    async firstIssuedAt(db, userId, purpose) {
      const { rows } = await db.query<{ first: string | null }>(
        `select min(created_at) as first from one_time_token
         where space_id = $1 and user_id = $2 and purpose = $3 and used_at is null`,
        [spaceId, userId, purpose],
      );
      return rows[0]!.first;
    },

    async peek(purpose, token) {
      const { rows } = await database.query<Row>(
        `select t.user_id as "userId", t.facts as data, t.expires_at as "expiresAt", t.used_at as "usedAt"
         from one_time_token t join person p on p.user_id = t.user_id and p.space_id = t.space_id
         where t.space_id = $1 and t.purpose = $2 and t.token_hash = $3 and not p.disabled`,
        [spaceId, purpose, sha256(token)],
      );
      const [row] = rows;
      if (!row) return { state: 'unknown' };
      if (row.usedAt !== null) return { state: 'used' };
      if (Date.parse(row.expiresAt) <= clock.now()) return { state: 'expired' };
      return { state: 'good', userId: row.userId, data: row.data };
    },

    async redeem(db, purpose, token) {
      const now = isoTime(clock.now());
      const { rows } = await db.query<TokenPayload>(
        `update one_time_token t set used_at = $4 from person p
         where t.space_id = $1 and t.purpose = $2 and t.token_hash = $3 and t.used_at is null and t.expires_at > $4
           and p.user_id = t.user_id and p.space_id = t.space_id and not p.disabled
         returning t.user_id as "userId", t.facts as data`,
        [spaceId, purpose, sha256(token), now],
      );
      return rows[0] ?? null;
    },

    async sweep() {
      await database.query('delete from one_time_token where space_id = $1 and expires_at < $2', [
        spaceId,
        isoTime(clock.now() - expiredRetentionMs),
      ]);
    },
  };
}
