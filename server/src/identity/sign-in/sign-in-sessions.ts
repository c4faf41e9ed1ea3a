// Active sign-ins of a user: time and origin of each, and how to end one.
import type { Language } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { Database, Queryable } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { cliClientId } from '../tokens/embedded-issuer.ts';

export interface SignInSessions {
  /** Records the sign-in that a grant came from, and the language of its user. */
  record(options: {
    grantId: string;
    userId: string;
    clientId: string;
    address: string;
    userAgent: string;
    language: Language;
    /** Encrypted ID token of the external provider, if the sign-in used it. */
    externalToken?: Buffer | undefined;
  }): Promise<void>;
  /** The encrypted external ID token of the first of these grants that has one. */
  externalToken(grantIds: readonly string[]): Promise<Buffer | null>;
  /** Records that the user of this sign-in has re-authenticated: valid once, for a few minutes. */
  recordProof(grantId: string, strong: boolean): Promise<void>;
  /** Expiry of the re-authentication and whether it included a second factor; null when none is valid. */
  proof(userId: string, grantId: string, db?: Queryable): Promise<{ until: string; strong: boolean } | null>;
  /**
   * Uses up the re-authentication; `strong`: only one with a second factor. Returns false when there is none.
   */
  consumeProof(userId: string, grantId: string, options?: { strong: boolean }): Promise<boolean>;
  /**
   * Ends a sign-in, in a transaction that `runTransaction` opens: its tokens and the browser's session at the provider.
   * Returns false when the user has no such sign-in.
   */
  end(userId: string, signInSessionId: string, runTransaction: Database['transaction']): Promise<boolean>;
  sweep(): Promise<void>;
}

/** Milliseconds for which a re-authentication is valid. */
const proofLifetimeMs = 5 * 60_000;

export function createSignInSessions(context: IdentityContext): SignInSessions {
  const { database, clock, spaceId, nextId, clearPrincipalCache } = context;
  return {
    async record({ grantId, userId, clientId, address, userAgent, language, externalToken = null }) {
      await database.query(
        'update person set language = $3 where space_id = $1 and user_id = $2 and language is distinct from $3',
        [spaceId, userId, language],
      );
      await database.query(
        `insert into sign_in_session (space_id, grant_id, sign_in_session_id, user_id, client, address, user_agent, created_at,
           external_token)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
        [
          spaceId,
          grantId,
          nextId(),
          userId,
          clientId === cliClientId ? 'cli' : 'web',
          address.slice(0, 100),
          userAgent.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 300),
          isoTime(clock.now()),
          externalToken,
        ],
      );
    },

    async externalToken(grantIds) {
      const { rows } = await database.query<{ token: Buffer }>(
        `select external_token as token from sign_in_session
         where space_id = $1 and grant_id = any($2) and external_token is not null limit 1`,
        [spaceId, grantIds],
      );
      return rows[0]?.token ?? null;
    },

    async recordProof(grantId, strong) {
      await database.query(
        `update sign_in_session set proved_until = $3, proved_by_second_step = $4
         where space_id = $1 and grant_id = $2`,
        [spaceId, grantId, isoTime(clock.now() + proofLifetimeMs), strong],
      );
    },

    async proof(userId, grantId, db = database) {
      const { rows } = await db.query<{ until: string; strong: boolean }>(
        `select proved_until as until, proved_by_second_step as strong from sign_in_session
         where space_id = $1 and user_id = $2 and grant_id = $3 and proved_until > $4`,
        [spaceId, userId, grantId, isoTime(clock.now())],
      );
      return rows[0] ?? null;
    },

    async consumeProof(userId, grantId, { strong } = { strong: false }) {
      const { rowCount } = await database.query(
        `update sign_in_session set proved_until = null
         where space_id = $1 and user_id = $2 and grant_id = $3 and proved_until > $4
           and (proved_by_second_step or not $5::boolean)`,
        [spaceId, userId, grantId, isoTime(clock.now()), strong],
      );
      return rowCount > 0;
    },

    async end(userId, signInSessionId, runTransaction) {
      const ended = await runTransaction(async (tx) => {
        const { rows } = await tx.query<{ grantId: string }>(
          `delete from sign_in_session where space_id = $1 and user_id = $2 and sign_in_session_id = $3
           returning grant_id as "grantId"`,
          [spaceId, userId, signInSessionId],
        );
        const [row] = rows;
        if (!row) return false;
        await tx.query(
          `delete from oidc_payload where space_id = $1 and (grant_id = $2 or (model = 'Grant' and id = $2))`,
          [spaceId, row.grantId],
        );
        await tx.query(
          `delete from oidc_payload where space_id = $1 and model = 'Session' and payload->>'accountId' = $2
             and exists (select 1 from jsonb_each(payload->'authorizations') a where a.value->>'grantId' = $3)`,
          [spaceId, userId, row.grantId],
        );
        return true;
      });
      clearPrincipalCache();
      return ended;
    },

    async sweep() {
      await database.query(
        `delete from sign_in_session s where s.space_id = $1 and not exists (
           select 1 from oidc_payload p where p.space_id = s.space_id and p.model = 'Grant' and p.id = s.grant_id)`,
        [spaceId],
      );
    },
  };
}
