// The person who can sign in to a server that has nobody yet.
import { Problem } from '@yagura/core/http/problem';
import type { IdentityContext } from './context.ts';
import { generatePassword } from './password.ts';
import type { UserAccounts } from './person.ts';

export interface InitialAdmin {
  created: boolean;
  email: string;
  /** Only when it was made here: to be shown once and kept nowhere. */
  password?: string;
}

/**
 * Makes a privileged person unless the space has people. Without a password one is made up and given back. Throws
 * 400 when the given password or email is refused.
 */
export async function ensureInitialAdmin(
  { database, spaceId }: Pick<IdentityContext, 'database' | 'spaceId'>,
  people: UserAccounts,
  wanted: { email: string; password?: string | undefined },
): Promise<InitialAdmin> {
  const known = await findFirst();
  if (known) return { created: false, email: known };
  const password = wanted.password ?? generatePassword();
  try {
    await people.createPerson({
      email: wanted.email,
      displayName: 'Administrator',
      privileged: true,
      password,
    });
  } catch (error) {
    // Another replica that starts at the same moment was first.
    if (error instanceof Problem && error.kind === 'conflict') return { created: false, email: wanted.email };
    throw error;
  }
  return { created: true, email: wanted.email, ...(wanted.password === undefined ? { password } : {}) };

  async function findFirst(): Promise<string | undefined> {
    const { rows } = await database.query<{ email: string }>(
      'select email from person where space_id = $1 order by privileged desc, created_at, user_id limit 1',
      [spaceId],
    );
    return rows[0]?.email;
  }
}
