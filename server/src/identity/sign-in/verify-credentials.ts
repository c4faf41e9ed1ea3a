// Finds the user for an email address and password.
import type { Queryable } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { verifyPassword } from '../users/password.ts';

/** Maximum characters that are hashed; no valid password is longer. */
const maxLength = 1_024;

/** A user who has authenticated, with their token epoch at that time. */
export interface VerifiedUser {
  userId: string;
  epoch: number;
}

/**
 * Returns the user, or null when the credentials do not match or the user is disabled. Takes the same time for unknown
 * users.
 */
export async function verifyCredentials(
  { database, spaceId }: Pick<IdentityContext, 'database' | 'spaceId'>,
  email: string,
  password: string,
): Promise<VerifiedUser | null> {
  if (password.length > maxLength) return null;
  const { rows } = await database.query<VerifiedUser & { passwordHash: string | null; disabled: boolean }>(
    `select user_id as "userId", token_epoch as epoch, password_hash as "passwordHash", disabled
     from person where space_id = $1 and lower(email) = lower($2)`,
    [spaceId, email],
  );
  const [person] = rows;
  const fits = await verifyPassword(person?.passwordHash ?? null, password);
  return fits && person && !person.disabled ? { userId: person.userId, epoch: person.epoch } : null;
}

/**
 * The epoch of a user, which advances whenever all sessions end, once an end that is under way is over; null for one
 * who is gone. No end begins before the end of the transaction `db`.
 */
export async function readTokenEpoch(
  { spaceId }: Pick<IdentityContext, 'spaceId'>,
  db: Queryable,
  userId: string,
): Promise<number | null> {
  const { rows } = await db.query<{ epoch: number }>(
    'select token_epoch as epoch from person where space_id = $1 and user_id = $2 for share',
    [spaceId, userId],
  );
  return rows[0]?.epoch ?? null;
}
