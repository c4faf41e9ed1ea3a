// Invitations: mailed links that create a user of the space.

import type { Language } from '@yagura/core/i18n/translator';
import { invitationDays } from '@yagura/core/space/invitation';
import { isoTime } from '../../common/clock.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { newLinkToken } from '../tokens/one-time-tokens.ts';
import { type InviterRow, inviterColumns, mayStillInvite } from './inviter.ts';
import { hashPassword } from './password.ts';
import { hasRoomForUser, isUniqueViolation } from './user-accounts.ts';

export interface InvitationInput {
  email: string;
  roles: string[];
  language: Language;
}

export type InvitationState =
  | { state: 'good'; invitationId: string; email: string; roles: string[] }
  | { state: 'unknown' | 'expired' | 'used' };

export interface Invitations {
  /**
   * Stores the invitation and queues the mail. Returns its id, or null when the address belongs to a user; the unique
   * index reports another invitation.
   */
  invite(
    tx: Transaction,
    by: { userId: string; displayName: string },
    input: InvitationInput,
  ): Promise<string | null>;
  /**
   * Sends a new link with a new lifetime and invalidates the earlier one; whoever does so gives its roles from now
   * on. Returns false when there is no open invitation.
   */
  resend(
    tx: Transaction,
    by: { userId: string; displayName: string },
    invitationId: string,
  ): Promise<boolean>;
  findByToken(token: string): Promise<InvitationState>;
  /**
   * Creates the user, once. Returns the user id, or the current state of the link; `taken`: the address belongs
   * to a user; `full`: the price plan's user limit is reached.
   */
  accept(
    token: string,
    input: { displayName: string; password: string },
  ): Promise<
    { userId: string; email: string } | { state: 'unknown' | 'expired' | 'used' | 'taken' | 'full' }
  >;
  sweep(): Promise<void>;
}

const lifetimeMs = invitationDays * 86_400_000;
/** Milliseconds for which used and expired links are distinguished from unknown ones. */
const expiredRetentionMs = 30 * 86_400_000;

interface Row extends InviterRow {
  invitationId: string;
  email: string;
  roles: string[];
  expiresAt: string;
  acceptedAt: string | null;
}

const findByHash = `select i.invitation_id as "invitationId", i.email, i.roles, i.expires_at as "expiresAt",
    i.accepted_at as "acceptedAt", ${inviterColumns('p')}
  from invitation i left join person p on p.user_id = i.invited_by
  where i.space_id = $1 and i.token_hash = $2`;

export function createInvitations(context: IdentityContext): Invitations {
  const { database, clock, nextId, spaceId, publicUrl, mail } = context;

  async function send(
    tx: Queryable,
    details: { email: string; language: Language; inviter: string; token: string },
  ): Promise<void> {
    const { email, language, inviter, token } = details;
    const space = await context.spaceName(tx);
    const link = `${publicUrl}/activate-invitation?token=${token}`;
    await mail.queue(tx, {
      kind: 'invitation',
      to: email,
      language,
      params: { space, inviter, link, days: invitationDays },
    });
  }

  async function hasPerson(db: Queryable, email: string): Promise<boolean> {
    const { rows } = await db.query('select 1 from person where space_id = $1 and lower(email) = lower($2)', [
      spaceId,
      email,
    ]);
    return rows.length > 0;
  }

  function stateOf(row: Row | undefined): InvitationState {
    if (!row) return { state: 'unknown' };
    if (row.acceptedAt !== null) return { state: 'used' };
    // Nobody gives by an earlier invitation what they no longer hold.
    if (Date.parse(row.expiresAt) <= clock.now() || !mayStillInvite(row, row.roles))
      return { state: 'expired' };
    const { invitationId, email, roles } = row;
    return { state: 'good', invitationId, email, roles };
  }

  return {
    async invite(tx, by, { email, roles, language }) {
      if (await hasPerson(tx, email)) return null;
      const invitationId = nextId();
      const token = newLinkToken();
      const now = clock.now();
      await tx.query(
        `insert into invitation (invitation_id, space_id, email, roles, language, invited_by, token_hash, expires_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
        [
          invitationId,
          spaceId,
          email,
          roles,
          language,
          by.userId,
          sha256(token),
          isoTime(now + lifetimeMs),
          isoTime(now),
        ],
      );
      await send(tx, { email, language, inviter: by.displayName, token });
      return invitationId;
    },

    async resend(tx, by, invitationId) {
      const token = newLinkToken();
      const now = clock.now();
      const { rows } = await tx.query<{ email: string; language: Language }>(
        `update invitation set token_hash = $3, expires_at = $4, updated_at = $5, invited_by = $6
         where space_id = $1 and invitation_id = $2 and accepted_at is null returning email, language`,
        [spaceId, invitationId, sha256(token), isoTime(now + lifetimeMs), isoTime(now), by.userId],
      );
      const [row] = rows;
      if (!row) return false;
      await send(tx, { ...row, inviter: by.displayName, token });
      return true;
    },

    async findByToken(token) {
      const { rows } = await database.query<Row>(findByHash, [spaceId, sha256(token)]);
      return stateOf(rows[0]);
    },

    async accept(token, { displayName, password }) {
      const passwordHash = await hashPassword(password);
      const accepted = database.transaction(async (tx) => {
        const { rows } = await tx.query<Row>(`${findByHash} for update of i`, [spaceId, sha256(token)]);
        const found = stateOf(rows[0]);
        if (found.state !== 'good') return { state: found.state };
        if (await hasPerson(tx, found.email)) return { state: 'taken' as const };
        if (!(await hasRoomForUser(tx, spaceId, context.maxUsers))) return { state: 'full' as const };
        const userId = nextId();
        const now = isoTime(clock.now());
        await tx.query(
          `insert into person (user_id, space_id, email, display_name, password_hash, roles, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7)`,
          [userId, spaceId, found.email, displayName, passwordHash, found.roles, now],
        );
        await tx.query('update invitation set accepted_at = $3 where space_id = $1 and invitation_id = $2', [
          spaceId,
          found.invitationId,
          now,
        ]);
        return { userId, email: found.email };
      });
      return accepted.catch((error: unknown) => {
        // Somebody has added a user with the address at the same moment.
        if (isUniqueViolation(error)) return { state: 'taken' as const };
        throw error;
      });
    },

    async sweep() {
      await database.query(
        'delete from invitation where space_id = $1 and coalesce(accepted_at, expires_at) < $2',
        [spaceId, isoTime(clock.now() - expiredRetentionMs)],
      );
    },
  };
}
