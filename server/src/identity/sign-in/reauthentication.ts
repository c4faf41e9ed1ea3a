// Re-authenticates the user before sign-in methods are changed (ASVS 7.5.1).
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import type { IdentityContext } from '../identity-context.ts';
import type { Totp } from '../mfa/totp.ts';
import type { Principal } from '../principal.ts';
import { verifyPassword } from '../users/password.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { SignInSessions } from './sign-in-sessions.ts';

export interface Proof {
  password?: string | undefined;
  /** App code or recovery code. */
  code?: string | undefined;
}

/**
 * Without password and code, a recent re-authentication in this session counts, once. Throws 400 naming
 * `password` or `code` when it is wrong or missing, 429 after too many wrong ones.
 */
export type Reauthenticate = (
  who: Pick<Principal, 'userId' | 'grantId'>,
  proof: Proof,
  t: Translate,
  /**
   * `factors`: with two-step verification enabled, a code is required beside the password, as at a sign-in.
   */
  options?: { factors: boolean },
) => Promise<void>;

export function createReauthenticate(
  { database, spaceId }: IdentityContext,
  deps: { limit: AttemptLimit; totp: Totp; sessions: SignInSessions },
): Reauthenticate {
  const { limit, totp, sessions } = deps;

  async function passwordOf(userId: string): Promise<string | null> {
    const { rows } = await database.query<{ hash: string | null }>(
      'select password_hash as hash from person where space_id = $1 and user_id = $2 and not disabled',
      [spaceId, userId],
    );
    return rows[0]?.hash ?? null;
  }

  /** Refuses missing values before anything counts as an attempt. */
  async function refuseMissing(userId: string, t: Translate): Promise<never> {
    const typed = (await passwordOf(userId)) !== null;
    throw invalidField('password', t(typed ? 'rule.required' : 'factor.prove-again'));
  }

  async function check(
    who: Pick<Principal, 'userId' | 'grantId'>,
    { password, code }: Proof,
    t: Translate,
  ): Promise<void> {
    const { userId, grantId } = who;
    // Counted per sign-in, so that someone at a session left open cannot lock out the user elsewhere.
    const address = `sign-in ${grantId ?? 'none'}`;
    const attempt = await limit.begin({ purpose: 'proof', account: userId, address });
    if (attempt.wait > 0)
      throw new Problem('too-many-requests', { retryAfter: Math.ceil(attempt.wait / 1000) });
    // Check the password first, since checking a recovery code uses it up.
    if (password && !(await verifyPassword(await passwordOf(userId), password)))
      throw invalidField('password', t('card.wrong-password'));
    if (code && (await totp.check(userId, code)) === null) throw invalidField('code', t('factor.wrong-code'));
    await attempt.succeeded();
  }

  return async (who, proof, t, { factors } = { factors: false }) => {
    const { userId, grantId } = who;
    const isFresh = (strong: boolean) =>
      grantId === undefined ? false : sessions.consumeProof(userId, grantId, { strong });
    if (factors && (await totp.isEnabled(userId))) {
      if (!proof.code) {
        if (!proof.password && (await isFresh(true))) return;
        throw invalidField('code', t('rule.required'));
      }
      if (!proof.password && !(await isFresh(false))) await refuseMissing(userId, t);
      return check(who, proof, t);
    }
    if (!proof.password && !proof.code) {
      if (await isFresh(false)) return;
      await refuseMissing(userId, t);
    }
    // Either one is enough here; the code is used when both are given.
    await check(who, proof.code ? { code: proof.code } : { password: proof.password }, t);
  };
}
