// Proof that it is still the person who sits there, before the ways to sign in are changed (ASVS 7.5.1).
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/words/translate';
import type { AttemptLimit } from './attempt-limit.ts';
import type { IdentityContext } from './context.ts';
import type { Totp } from './factor/totp.ts';
import { verifyPassword } from './password.ts';
import type { Principal } from './principal.ts';
import type { SignInSessions } from './sign-in-session.ts';

export interface Proof {
  password?: string | undefined;
  /** Of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

/**
 * With neither, a sign-in that the person made anew in this session counts, once. Throws 400 naming `password` or `code`
 * when what was shown is wrong or missing, 429 after too many wrong ones.
 */
export type Reauthenticate = (
  who: Pick<Principal, 'userId' | 'grantId'>,
  proof: Proof,
  t: Translate,
) => Promise<void>;

export function createReauthenticate(
  { database, spaceId }: IdentityContext,
  parts: { limit: AttemptLimit; totp: Totp; sessions: SignInSessions },
): Reauthenticate {
  async function passwordOf(userId: string): Promise<string | null> {
    const { rows } = await database.query<{ hash: string | null }>(
      'select password_hash as hash from person where space_id = $1 and user_id = $2 and not disabled',
      [spaceId, userId],
    );
    return rows[0]?.hash ?? null;
  }

  async function holds(userId: string, { password, code }: Proof): Promise<boolean> {
    if (code) return (await parts.totp.check(userId, code)) !== null;
    return verifyPassword(await passwordOf(userId), password ?? '');
  }

  return async ({ userId, grantId }, proof, t) => {
    const name = proof.code ? 'code' : 'password';
    if (!proof.password && !proof.code) {
      if (grantId !== undefined && (await parts.sessions.useProof(userId, grantId))) return;
      const typed = (await passwordOf(userId)) !== null;
      throw invalidField(name, t(typed ? 'rule.required' : 'factor.prove-again'));
    }
    // Whoever sits at a session that was left open must not keep the person themselves from it elsewhere.
    const address = `sign-in ${grantId ?? 'none'}`;
    const attempt = await parts.limit.begin({ purpose: 'proof', account: userId, address });
    if (attempt.wait > 0)
      throw new Problem('too-many-requests', { retryAfter: Math.ceil(attempt.wait / 1000) });
    if (!(await holds(userId, proof)))
      throw invalidField(name, t(proof.code ? 'factor.wrong-code' : 'card.wrong-password'));
    await attempt.succeeded();
  };
}
