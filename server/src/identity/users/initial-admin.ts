// Creates the first user of a server that has none.
import { Problem } from '@yagura/core/http/problem';
import type { IdentityContext } from '../identity-context.ts';
import { generatePassword } from './password.ts';
import { isUniqueViolation, type UserAccounts } from './user-accounts.ts';

export interface InitialAdmin {
  created: boolean;
  email: string;
  /** Set only when generated here: to be shown once and stored nowhere. */
  password?: string;
}

/**
 * Creates a privileged user unless the space has users. Without a given password one is generated and
 * returned. Throws 400 when the given password or email is refused.
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
    // Another replica that started at the same time was faster.
    if (isUniqueViolation(error) || (error instanceof Problem && error.kind === 'conflict'))
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
