// Proof that it is still the person who sits there, before the ways to sign in are changed (ASVS 7.5.1).
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/words/translate';
import type { AttemptLimit } from './attempt-limit.ts';
import type { IdentityContext } from './context.ts';
import type { Totp } from './factor/totp.ts';
import { verifyPassword } from './password.ts';

export interface Proof {
  password?: string | undefined;
  /** Of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

/** Throws 400 naming `password` or `code` when it is wrong or missing, 429 after too many wrong ones. */
export type Reauthenticate = (userId: string, proof: Proof, t: Translate) => Promise<void>;

export function createReauthenticate(
  { database, spaceId }: IdentityContext,
  parts: { limit: AttemptLimit; totp: Totp },
): Reauthenticate {
  async function holds(userId: string, { password, code }: Proof): Promise<boolean> {
    if (code) return (await parts.totp.check(userId, code)) !== null;
    const { rows } = await database.query<{ hash: string | null }>(
      'select password_hash as hash from person where space_id = $1 and user_id = $2 and not disabled',
      [spaceId, userId],
    );
    return verifyPassword(rows[0]?.hash ?? null, password ?? '');
  }

  return async (userId, proof, t) => {
    const name = proof.code ? 'code' : 'password';
    if (!proof.password && !proof.code) throw invalidField(name, t('rule.required'));
    const attempt = await parts.limit.begin(`proof ${userId}`, `user ${userId}`);
    if (attempt.wait > 0)
      throw new Problem('too-many-requests', { retryAfter: Math.ceil(attempt.wait / 1000) });
    if (!(await holds(userId, proof)))
      throw invalidField(name, t(proof.code ? 'factor.wrong-code' : 'card.wrong-password'));
    await attempt.succeeded();
  };
}
