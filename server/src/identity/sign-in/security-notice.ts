// Notifies a user by mail of changes to their sign-in methods, so that a change by someone else is noticed.
import type { Language } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
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
  | 'passkey-copied';

export type SecurityNotice = (
  userId: string,
  change: SecurityChange,
  language: Language,
  params?: Record<string, string>,
) => Promise<void>;

export function createSecurityNotice(context: IdentityContext, users: UserAccounts): SecurityNotice {
  const { database, clock, mail, translators, publicUrl } = context;
  return async (userId, change, language, params = {}) => {
    const person = await users.findUser(userId);
    if (!person) return;
    await mail.queue(database, {
      kind: 'security-changed',
      to: person.email,
      language,
      params: {
        name: person.displayName,
        space: await context.spaceName(database),
        time: isoTime(clock.now()).slice(0, 16).replace('T', ' '),
        change: translators[language](`mail.change.${change}`, params),
        link: `${publicUrl}/change-password`,
      },
    });
    mail.wake();
  };
}
