// Account page by which the old address reverts an email change, before its confirmation or within days after
// it.
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { isUniqueViolation } from '../users/user-accounts.ts';
import type { AccountPageHandler } from './account-page-handler.ts';

/** Minutes that the link for setting a new password stays valid. */
const passwordMinutes = 60;

export const restoreEmail: AccountPageHandler = async ({ context, deps, accountPage, form }) => {
  const { t } = accountPage;
  const { spaceId, clock, database } = context;
  if (accountPage.token === '')
    return {
      page: accountPage.notice({
        status: 200,
        messageKey: 'card.restore-request',
        link: { href: '/', text: t('card.to-sign-in') },
      }),
    };
  const found = await deps.tokens.peek('restore-email', accountPage.token);
  if (found.state !== 'good') return { page: accountPage.invalidLink(found.state), done: true };
  const { email = '', old = '' } = found.data;
  if (!form)
    return {
      page: accountPage.form({
        title: t('card.restore-title'),
        lead: t('card.restore-lead', { email, old }),
        fields: [],
        submit: t('card.restore-submit'),
      }),
    };
  const outcome = await database.transaction(restore).catch((error: unknown) => {
    if (isUniqueViolation(error)) return null;
    throw error;
  });
  if (outcome === null) return { page: accountPage.invalidLink('used'), done: true };
  context.clearPrincipalCache();
  context.log({
    level: 'warn',
    message: 'A change of an email address was taken back',
    userId: found.userId,
  });
  const { name, next } = outcome;
  const link = next ?? { href: '/', text: t('card.to-sign-in') };
  return {
    page: accountPage.notice({
      status: 200,
      messageKey: next ? 'card.restored' : 'card.restore-stopped',
      params: { old },
      link,
    }),
    done: true,
    actor: { kind: 'person', userId: found.userId, name },
  };

  async function restore(tx: Transaction) {
    const used = await deps.tokens.redeem(tx, 'restore-email', accountPage.token);
    if (!used) return null;
    const { userId } = used;
    const { rows } = await tx.query<{ name: string; email: string }>(
      'select display_name as name, email from person where space_id = $1 and user_id = $2 for update',
      [spaceId, userId],
    );
    const [person] = rows;
    if (!person) return null;
    // Revoke the links sent to the other address, including one that would undo this revert.
    await deps.tokens.revoke(tx, userId, ['change-email', 'restore-email', 'change-password']);
    if (person.email.toLowerCase() === old.toLowerCase()) return { name: person.name, next: null };
    // The password may have been set by a link mailed to the other address.
    await tx.query(
      `update person set email = $3, password_hash = null, updated_at = $4 where space_id = $1 and user_id = $2`,
      [spaceId, userId, old, isoTime(clock.now())],
    );
    await deps.users.endSessionsIn(tx, userId);
    await tx.query('delete from known_device where space_id = $1 and user_id = $2', [spaceId, userId]);
    if (!context.passwordsEnabled)
      return { name: person.name, next: { href: '/', text: t('card.to-sign-in') } };
    const token = await deps.tokens.issue(tx, {
      purpose: 'change-password',
      userId,
      lifetime: passwordMinutes * 60_000,
    });
    const next = { href: `/change-password?token=${token}`, text: t('card.password-title') };
    return { name: person.name, next };
  }
};
