// Account page by which the old address reverts an email change, before its confirmation or within days after
// it.
import type { Translate } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { isUniqueViolation } from '../users/user-accounts.ts';
import type { AccountPageHandler } from './account-page-handler.ts';
import { type RemovedCredentials, removeCredentials } from './remove-credentials.ts';

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
  const { userId, data } = found;
  const { email = '', old = '' } = data;
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
  context.mail.wake();
  context.log({
    level: 'warn',
    message: 'A change of an email address was taken back',
    userId,
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
    actor: { kind: 'person', userId, name },
  };

  async function restore(tx: Transaction) {
    // Locks the user before the tokens, in the order of a new password.
    const { rows } = await tx.query<{ name: string; email: string }>(
      'select display_name as name, email from person where space_id = $1 and user_id = $2 for update',
      [spaceId, userId],
    );
    const [person] = rows;
    if (!person) return null;
    // An owner who is told of several changes may answer any of them: the takeover began with the first.
    const since = await deps.tokens.firstIssuedAt(tx, userId, 'restore-email');
    const used = await deps.tokens.redeem(tx, 'restore-email', accountPage.token);
    if (!used || since === null) return null;
    // Revoke the links sent to the other address, including one that would undo this revert. Those of earlier changes
    // stay: a thief could otherwise end the owner's by reverting another change.
    await deps.tokens.revoke(tx, userId, ['change-email', 'change-password']);
    await deps.tokens.revokeAfter(tx, 'restore-email', accountPage.token, 'old');
    if (person.email.toLowerCase() === old.toLowerCase()) return { name: person.name, next: null };
    // The password may have been set by a link mailed to the other address.
    await tx.query(
      `update person set email = $3, password_hash = null, updated_at = $4 where space_id = $1 and user_id = $2`,
      [spaceId, userId, old, isoTime(clock.now())],
    );
    await deps.users.endSessionsIn(tx, userId);
    const removed = await removeCredentials(tx, spaceId, userId, since);
    await deps.notifySecurityChange(
      userId,
      'email-restored',
      accountPage.language,
      { old, removed: describeRemoved(t, removed) },
      tx,
    );
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

/** One line for each kind of what was removed. */
function describeRemoved(t: Translate, removed: RemovedCredentials): string {
  const { passkeys, apiTokens, accounts, secondStep, recoveryCodes } = removed;
  return [
    t('mail.removed.password'),
    ...(passkeys.length > 0 ? [t('mail.removed.passkeys', { names: passkeys.join(', ') })] : []),
    ...(secondStep ? [t('mail.removed.second-step')] : []),
    ...(recoveryCodes > 0 ? [t('mail.removed.recovery-codes')] : []),
    ...(accounts > 0 ? [t('mail.removed.accounts', { count: accounts })] : []),
    ...(apiTokens.length > 0 ? [t('mail.removed.api-tokens', { names: apiTokens.join(', ') })] : []),
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}
