// The person who can sign in to a server that has nobody yet.
import { Problem } from '@yagura/core/http/problem';
import type { IdentityContext } from '../identity-context.ts';
import { generatePassword } from './password.ts';
import type { UserAccounts } from './user-accounts.ts';

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
  users: UserAccounts,
  credentials: { email: string; password?: string | undefined },
): Promise<InitialAdmin> {
  const known = await findFirst();
  if (known) return { created: false, email: known };
  const password = credentials.password ?? generatePassword();
  try {
    await users.createUser({
      email: credentials.email,
      displayName: 'Administrator',
      privileged: true,
      password,
    });
  } catch (error) {
    // Another replica that starts at the same moment was first.
    if (error instanceof Problem && error.kind === 'conflict')
      return { created: false, email: credentials.email };
    throw error;
  }
  return {
    created: true,
    email: credentials.email,
    ...(credentials.password === undefined ? { password } : {}),
  };

  async function findFirst(): Promise<string | undefined> {
    const { rows } = await database.query<{ email: string }>(
      'select email from person where space_id = $1 order by privileged desc, created_at, user_id limit 1',
      [spaceId],
    );
    return rows[0]?.email;
  }
}
