// Changes an email address: it applies once confirmed by a link sent to the new address; the old address is
// notified at once and can revert it.
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { AttemptLimit } from '../sign-in/attempt-limit.ts';
import type { OneTimeTokens } from '../tokens/one-time-tokens.ts';
import { isUniqueViolation } from '../users/user-accounts.ts';
import type { AccountPageHandler } from './account-page-handler.ts';

export interface EmailChangeRequest {
  email: string;
  /** Of the caller; mails to a user that an administrator changes are in the language of that user, if it is known. */
  language: Language;
  /** Name of the administrator who requested the change; absent when the user did. */
  by?: string;
}

export interface EmailChange {
  /**
   * Checks and counts a request. Throws 400 naming `email` when it is the user's own already, 409 when no mail can be
   * sent, 429 after too many requests.
   */
  countEmailChange(userId: string, change: Pick<EmailChangeRequest, 'email' | 'language'>): Promise<void>;
  /**
   * Queues the mail with the link to the new address and the notice to the old one; wake the mails after the commit.
   * Returns false, and queues nothing, when the address belongs to a user.
   */
  queueEmailChange(tx: Transaction, userId: string, change: EmailChangeRequest): Promise<boolean>;
  /**
   * Counts a request and queues its mails in a transaction that `runTransaction` opens. A taken address gets no mail,
   * which the caller cannot detect.
   */
  requestEmailChange(
    userId: string,
    change: EmailChangeRequest,
    runTransaction?: Database['transaction'],
  ): Promise<void>;
}

const hours = 24;
/** Days in which the old address can revert the change. */
export const restoreDays = 7;

interface Row {
  email: string;
  displayName: string;
  language: Language | null;
}

export function createEmailChange(
  context: IdentityContext,
  { tokens, limit }: { tokens: OneTimeTokens; limit: AttemptLimit },
): EmailChange {
  const { database, spaceId, publicUrl, clock } = context;

  async function findPerson(db: Queryable, userId: string): Promise<Row> {
    const { rows } = await db.query<Row>(
      'select email, display_name as "displayName", language from person where space_id = $1 and user_id = $2',
      [spaceId, userId],
    );
    if (!rows[0]) throw new Problem('not-found');
    return rows[0];
  }

  async function countEmailChange(
    userId: string,
    { email, language }: Pick<EmailChangeRequest, 'email' | 'language'>,
  ): Promise<void> {
    const t = context.translators[language];
    const { email: old } = await findPerson(database, userId);
    if (email.toLowerCase() === old.toLowerCase()) throw invalidField('email', t('card.same-email'));
    if (!context.mail.canSend) throw new Problem('conflict', { detail: t('users.no-mail') });
    const { wait } = await limit.begin({
      purpose: 'reset-mail',
      account: `new address ${userId}`,
      address: `new address ${userId}`,
    });
    if (wait > 0) throw new Problem('too-many-requests', { retryAfter: Math.ceil(wait / 1000) });
  }

  async function queueEmailChange(
    tx: Transaction,
    userId: string,
    { email, language: caller, by }: EmailChangeRequest,
  ): Promise<boolean> {
    // Locks the user before the tokens, in the order of a new password.
    await tx.query('select 1 from person where space_id = $1 and user_id = $2 for update', [spaceId, userId]);
    const { displayName: name, email: old, language: own } = await findPerson(tx, userId);
    const language = by === undefined ? caller : (own ?? caller);
    const taken = await tx.query('select 1 from person where space_id = $1 and lower(email) = lower($2)', [
      spaceId,
      email,
    ]);
    if (taken.rows.length > 0) return false;
    const data = { email, old };
    const space = await context.spaceName(tx);
    const token = await tokens.issue(tx, {
      purpose: 'change-email',
      userId,
      data,
      lifetime: hours * 3_600_000,
    });
    await context.mail.queue(tx, {
      kind: 'change-email',
      to: email,
      language,
      params: { name, space, link: `${publicUrl}/change-email?token=${token}`, hours },
    });
    // Earlier revert links stay valid, so that a second change does not remove the first address's way
    // back.
    const back = await tokens.issue(tx, {
      purpose: 'restore-email',
      userId,
      data,
      lifetime: restoreDays * 86_400_000,
      keepEarlier: true,
    });
    await context.mail.queue(tx, {
      kind: 'email-change-asked',
      to: old,
      language,
      params: {
        name,
        space,
        who: by ?? name,
        email,
        time: isoTime(clock.now()).slice(0, 16).replace('T', ' '),
        link: `${publicUrl}/restore-email?token=${back}`,
        days: restoreDays,
      },
    });
    return true;
  }

  return {
    countEmailChange,
    queueEmailChange,
    async requestEmailChange(userId, change, runTransaction = (work) => database.transaction(work)) {
      await countEmailChange(userId, change);
      await runTransaction((tx) => queueEmailChange(tx, userId, change));
      context.mail.wake();
    },
  };
}

export const changeEmail: AccountPageHandler = async ({ context, deps, accountPage, form }) => {
  const { t } = accountPage;
  const toProfile = { href: '/preference/profile', text: t('card.email-to-profile') };
  if (accountPage.token === '') {
    return { page: accountPage.notice({ status: 200, messageKey: 'card.email-request', link: toProfile }) };
  }
  const found = await deps.tokens.peek('change-email', accountPage.token);
  if (found.state !== 'good') return { page: accountPage.invalidLink(found.state), done: true };
  const { userId, data } = found;
  const { email = '', old = '' } = data;
  if (!form) {
    return {
      page: accountPage.form({
        title: t('card.email-title'),
        lead: t('card.email-lead', { email, old }),
        fields: [],
        submit: t('card.email-submit'),
      }),
    };
  }
  const name = await confirm().catch((error: unknown) => {
    if (isUniqueViolation(error)) return null;
    throw error;
  });
  if (name === null) return { page: accountPage.invalidLink('used'), done: true };
  context.clearPrincipalCache();
  context.mail.wake();
  context.log({ level: 'info', message: 'Email address changed', userId });
  const link = { href: '/', text: t('card.to-sign-in') };
  return {
    page: accountPage.notice({ status: 200, messageKey: 'card.email-done', params: { email }, link }),
    done: true,
    actor: { kind: 'person', userId, name },
  };

  /** Returns the user's name, or null if the link has been used in the meantime. */
  async function confirm(): Promise<string | null> {
    return context.database.transaction(async (tx) => {
      // Locks the user before the token, in the order of a new password, which revokes the token.
      await tx.query('select 1 from person where space_id = $1 and user_id = $2 for update', [
        context.spaceId,
        userId,
      ]);
      const used = await deps.tokens.redeem(tx, 'change-email', accountPage.token);
      if (!used) return null;
      // Was mailed to the former address.
      await deps.tokens.revoke(tx, userId, ['change-password']);
      const { rows } = await tx.query<{ name: string }>(
        `update person set email = $3, updated_at = $4 where space_id = $1 and user_id = $2
         returning display_name as name`,
        [context.spaceId, userId, email, isoTime(context.clock.now())],
      );
      const [person] = rows;
      if (!person) return null;
      await context.mail.queue(tx, {
        kind: 'email-changed',
        to: old,
        language: accountPage.language,
        params: {
          name: person.name,
          space: await context.spaceName(tx),
          time: isoTime(context.clock.now()).slice(0, 16).replace('T', ' '),
          days: restoreDays,
        },
      });
      return person.name;
    });
  }
};
