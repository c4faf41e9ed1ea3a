// Changes the password of a signed-in user, and tells users that their password was changed.
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { findPasswordProblem } from '../users/password.ts';
import type { UserAccount, UserAccounts } from '../users/user-accounts.ts';

export interface OwnPassword {
  /** Throws 400 naming `newPassword` when it is refused, 409 when users have no passwords. */
  checkOwnPassword(userId: string, change: OwnPasswordChange): Promise<void>;
  /**
   * Sets the password, which must have been checked, ends all sign-ins of the user and queues the
   * notice, in a transaction that `runTransaction` opens.
   */
  changeOwnPassword(
    userId: string,
    change: OwnPasswordChange,
    runTransaction: Database['transaction'],
  ): Promise<void>;
}

export interface OwnPasswordChange {
  password: string;
  /** Language of the user. */
  language: Language;
}

export function createOwnPassword(context: IdentityContext, users: UserAccounts): OwnPassword {
  async function findUser(userId: string): Promise<UserAccount> {
    const person = await users.findUser(userId);
    if (!person) throw new Problem('not-found');
    return person;
  }

  return {
    async checkOwnPassword(userId, { password, language }) {
      const t = context.translators[language];
      if (!context.passwordsEnabled) throw new Problem('conflict', { detail: t('card.no-passwords') });
      const { email, displayName } = await findUser(userId);
      const found = await findPasswordProblem(password, [email, displayName]);
      if (found) throw invalidField('newPassword', t(found.word, found.params));
    },

    async changeOwnPassword(userId, { password, language }, runTransaction) {
      const person = await findUser(userId);
      const tell = async (tx: Transaction) => {
        await queuePasswordNotice(tx, context, person, language);
        return true;
      };
      await users.setPassword(userId, password, tell, runTransaction);
      context.mail.wake();
    },
  };
}

/** Queues the mail that tells a user of a new password; wake the mails after the commit. */
export async function queuePasswordNotice(
  tx: Transaction,
  { clock, mail, publicUrl, spaceName }: IdentityContext,
  { email, displayName }: Pick<UserAccount, 'email' | 'displayName'>,
  language: Language,
): Promise<void> {
  await mail.queue(tx, {
    kind: 'password-changed',
    to: email,
    language,
    params: {
      name: displayName,
      space: await spaceName(tx),
      time: isoTime(clock.now()).slice(0, 16).replace('T', ' '),
      link: `${publicUrl}/change-password`,
    },
  });
}
