// Notifies a user by mail of changes to their sign-in methods, so that a change by someone else is noticed.
import type { Language } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { UserAccounts } from '../users/user-accounts.ts';

export type SecurityChange =
  | 'mfa-on'
  | 'mfa-off'
  | 'recovery-codes'
  | 'recovery-code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'account-linked'
  | 'passkey-copied'
  | 'email-restored';

/** `tx` is a transaction of the caller, who wakes the mails after its commit. */
export type SecurityNotice = (
  userId: string,
  change: SecurityChange,
  language: Language,
  params?: Record<string, string>,
  tx?: Transaction,
) => Promise<void>;

export function createSecurityNotice(context: IdentityContext, users: UserAccounts): SecurityNotice {
  const { database, clock, mail, translators, publicUrl } = context;
  return async (userId, change, language, params = {}, tx) => {
    const db = tx ?? database;
    const person = await users.findUser(userId, db);
    if (!person) return;
    await mail.queue(db, {
      kind: 'security-changed',
      to: person.email,
      language,
      params: {
        name: person.displayName,
        space: await context.spaceName(db),
        time: isoTime(clock.now()).slice(0, 16).replace('T', ' '),
        change: translators[language](`mail.change.${change}`, params),
        link: `${publicUrl}/change-password`,
      },
    });
    if (!tx) mail.wake();
  };
}
