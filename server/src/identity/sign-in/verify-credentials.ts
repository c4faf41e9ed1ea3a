// Whose email address and password were typed.
import type { IdentityContext } from '../identity-context.ts';
import { verifyPassword } from '../users/password.ts';

/** No password is as long; what is longer is not worth the time of a hash. */
const maxLength = 1_024;

/** The id of the person, null when the two do not fit or the person is disabled. Takes as long whoever is asked for. */
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
