// Finds the user for an email address and password.
import type { IdentityContext } from '../identity-context.ts';
import { verifyPassword } from '../users/password.ts';

/** Maximum characters that are hashed; no valid password is longer. */
const maxLength = 1_024;

/**
 * Returns the user's id, or null when the credentials do not match or the user is disabled. Takes the same
 * time for unknown users.
 */
export async function verifyCredentials(
  { database, spaceId }: Pick<IdentityContext, 'database' | 'spaceId'>,
  email: string,
  password: string,
): Promise<string | null> {
  if (password.length > maxLength) return null;
  const { rows } = await database.query<{ userId: string; passwordHash: string | null; disabled: boolean }>(
    `select user_id as "userId", password_hash as "passwordHash", disabled
     from person where space_id = $1 and lower(email) = lower($2)`,
    [spaceId, email],
  );
  const [person] = rows;
  const fits = await verifyPassword(person?.passwordHash ?? null, password);
  return fits && person && !person.disabled ? person.userId : null;
}
