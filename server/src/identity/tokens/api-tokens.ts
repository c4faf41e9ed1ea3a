// Creates, verifies and deletes API tokens; only their hashes are stored.
import { randomBytes } from 'node:crypto';
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/translator';
import { apiTokenInput } from '@yagura/core/space/api-token';
import type { z } from 'zod';
import { byServer } from '../../audit/actor.ts';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { mayGrantRole, narrowClaims, type Principal, signInRequired } from '../principal.ts';
import { allRoles, inheritedRoles } from '../users/inherited-roles.ts';
import { parseOrThrow } from '../users/user-accounts.ts';

export interface ApiToken {
  apiTokenId: string;
  displayName: string;
  roles: string[] | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ApiTokenInput {
  principal: Principal;
  displayName: string;
  roles: string[] | null;
  expiresAt: string | null;
  /** Language of error messages for the creator. */
  language?: Language;
}

export interface ApiTokens {
  /**
   * Creates a token; `token` is not stored and cannot be shown again. Throws 403 naming `roles` that the
   * creator lacks, 400 for an `expiresAt` in the past, 403 for a narrowed API token; the unique index reports a taken
   * name. `tx` is a transaction of the caller.
   */
  createApiToken(input: ApiTokenInput, tx?: Transaction): Promise<{ row: ApiToken; token: string }>;
  /**
   * Deletes a token, which is refused from now on. Returns false when it does not exist. With a transaction of the
   * caller, call `clearPrincipalCache` after its commit.
   */
  removeApiToken(apiTokenId: string, tx?: Transaction): Promise<boolean>;
  /**
   * Creates or updates the token named "bootstrap" of the first privileged user with this value, of at least
   * 32 characters.
   */
  ensureBootstrapToken(value: string): Promise<void>;
  /** Returns the caller of a token. Throws Problem 'sign-in-required'. */
  principalOf(token: string): Promise<{ principal: Principal; expiresAt: number }>;
  /** Returns the caller of a token that was verified before. Throws Problem 'sign-in-required'. */
  principalOfId(apiTokenId: string): Promise<Principal>;
  /** Records the time and network address of the last use, at most once a minute. */
  noteUse(apiTokenId: string, address?: string): void;
  /** Resolves when all recorded uses are stored. */
  settle(): Promise<void>;
}

const columns = `api_token_id as "apiTokenId", display_name as "displayName", roles, expires_at as "expiresAt",
  last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom", created_at as "createdAt", updated_at as "updatedAt"`;

const findToken = `select t.api_token_id as "apiTokenId", t.display_name as "apiTokenName", t.roles as "tokenRoles", t.expires_at as "expiresAt",
      p.user_id as "userId", p.email, p.display_name as "displayName", p.privileged, p.roles, p.disabled,
      ${inheritedRoles('p')} as inherited
    from api_token t join person p on p.user_id = t.user_id and p.space_id = t.space_id`;

const findByHash = {
  name: 'identity_api_token',
  text: `${findToken} where t.token_hash = $1 and t.space_id = $2`,
};
const findById = {
  name: 'identity_api_token_by_id',
  text: `${findToken} where t.api_token_id = $1 and t.space_id = $2`,
};

interface Found {
  apiTokenId: string;
  apiTokenName: string;
  tokenRoles: string[] | null;
  expiresAt: string | null;
  userId: string;
  email: string;
  displayName: string;
  privileged: boolean;
  roles: string[];
  inherited: string[];
  disabled: boolean;
}

const lastUsedIntervalMs = 60_000;

export function createApiTokens(context: IdentityContext): ApiTokens {
  const { database, clock, nextId, spaceId, clearPrincipalCache, log, audit } = context;
  const now = () => isoTime(clock.now());
  const noted = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  function validPrincipal(found: Found | undefined): { principal: Principal; expiresAt: number } {
    const expiresAt = found?.expiresAt ? Date.parse(found.expiresAt) : Number.POSITIVE_INFINITY;
    if (!found || found.disabled) throw signInRequired();
    // Its holder has the whole secret and may know; a deleted token leaves no trace that could tell it from a wrong one.
    if (expiresAt <= clock.now()) {
      const text = translatable('refusal.token-expired', { time: isoTime(expiresAt) });
      throw new TranslatableProblem('sign-in-required', text);
    }
    const owner = { privileged: found.privileged, roles: allRoles(found.roles, found.inherited) };
    const principal: Principal = {
      spaceId,
      userId: found.userId,
      kind: 'api-token',
      displayName: found.displayName,
      email: found.email,
      claims: narrowClaims(owner, found.tokenRoles),
      apiTokenId: found.apiTokenId,
      apiTokenName: found.apiTokenName,
      narrowed: found.tokenRoles !== null,
    };
    return { principal, expiresAt };
  }

  async function insert(
    db: Queryable,
    options: { userId: string; token: string; checked: z.infer<typeof apiTokenInput> },
  ): Promise<ApiToken> {
    const { userId, token, checked } = options;
    const { rows } = await db.query<ApiToken>(
      `insert into api_token (api_token_id, space_id, user_id, display_name, token_hash, roles, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning ${columns}`,
      [
        nextId(),
        spaceId,
        userId,
        checked.displayName,
        sha256(token),
        checked.roles,
        checked.expiresAt,
        now(),
      ],
    );
    return rows[0]!;
  }

  return {
    async createApiToken({ principal, language = 'en', ...rest }, tx) {
      const t = context.translators[language];
      if (principal.narrowed) throw new Problem('forbidden', { detail: t('users.narrowed-token') });
      const parsed = parseOrThrow(apiTokenInput, rest);
      const checked = { ...parsed, roles: parsed.roles && [...new Set(parsed.roles)] };
      const beyond = checked.roles?.find((role) => !mayGrantRole(principal.claims, role));
      if (beyond !== undefined) {
        const reason = t('users.beyond', { role: beyond });
        throw new Problem('forbidden', { detail: reason, invalidParams: [{ name: 'roles', reason }] });
      }
      if (checked.expiresAt !== null && Date.parse(checked.expiresAt) <= clock.now()) {
        throw invalidField('expiresAt', t('rule.future'));
      }
      const token = `ygr_${randomBytes(32).toString('base64url')}`;
      return { row: await insert(tx ?? database, { userId: principal.userId, token, checked }), token };
    },

    async removeApiToken(apiTokenId, tx) {
      if (!isUuid(apiTokenId)) return false;
      const { rowCount } = await (tx ?? database).query(
        'delete from api_token where space_id = $1 and api_token_id = $2',
        [spaceId, apiTokenId],
      );
      if (!tx) clearPrincipalCache();
      return rowCount > 0;
    },

    async ensureBootstrapToken(value) {
      if (value.length < 32) throw new Error('A bootstrap token must have at least 32 characters');
      const record = (action: 'create' | 'edit', [token]: { id: string; displayName: string }[]) => {
        if (!token) return;
        const { id: resourceId, displayName } = token;
        audit.enqueue({
          ...byServer,
          action,
          outcome: 'done',
          resource: 'api-token',
          resourceId,
          after: { displayName },
        });
      };
      const changed = await database.query<{ id: string; displayName: string }>(
        `update api_token set token_hash = $2, roles = null, expires_at = null, updated_at = $3
         where space_id = $1 and is_bootstrap and token_hash <> $2
         returning api_token_id as id, display_name as "displayName"`,
        [spaceId, sha256(value), now()],
      );
      record('edit', changed.rows);
      if (changed.rows.length > 0) return clearPrincipalCache();
      const made = await database.query<{ id: string; displayName: string }>(
        `insert into api_token (api_token_id, space_id, user_id, display_name, token_hash, is_bootstrap, created_at, updated_at)
         select $1::uuid, $2, user_id, case when exists (
             select 1 from api_token where space_id = $2 and display_name = 'bootstrap' and not is_bootstrap
           ) then 'bootstrap ' || right($1::uuid::text, 8) else 'bootstrap' end, $3, true, $4, $4 from person
         where space_id = $2 and privileged and not disabled order by created_at, user_id limit 1
         on conflict do nothing returning api_token_id as id, display_name as "displayName"`,
        [nextId(), spaceId, sha256(value), now()],
      );
      record('create', made.rows);
    },

    async principalOf(token) {
      const { rows } = await database.query<Found>(findByHash, [sha256(token), spaceId]);
      return validPrincipal(rows[0]);
    },

    async principalOfId(apiTokenId) {
      const { rows } = await database.query<Found>(findById, [apiTokenId, spaceId]);
      return validPrincipal(rows[0]).principal;
    },

    noteUse(apiTokenId, address) {
      const time = clock.now();
      if (time - (noted.get(apiTokenId) ?? Number.NEGATIVE_INFINITY) < lastUsedIntervalMs) return;
      if (noted.size > 10_000) noted.clear();
      noted.set(apiTokenId, time);
      const write = database
        .query(
          `update api_token set last_used_at = $3, last_used_from = coalesce($5, last_used_from)
           where space_id = $1 and api_token_id = $2 and (last_used_at is null or last_used_at <= $4)`,
          [spaceId, apiTokenId, isoTime(time), isoTime(time - lastUsedIntervalMs), address ?? null],
        )
        .then(() => {})
        .catch((error: Error) =>
          log({ level: 'warn', message: 'API token use not noted', error: error.message }),
        )
        .finally(() => writing.delete(write));
      writing.add(write);
    },

    async settle() {
      await Promise.all(writing);
    },
  };
}
