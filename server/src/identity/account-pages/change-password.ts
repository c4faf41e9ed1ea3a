// Account page that resets a password by a mailed link.

import { formatWaitTime } from '../pages/format-wait-time.ts';
import type { AccountPageHandler } from './account-page-handler.ts';
import { findPasswordProblems, type PasswordProblems, passwordFields } from './new-password-fields.ts';
import { queuePasswordNotice } from './own-password.ts';

const minutes = 60;

export const changePassword: AccountPageHandler = async (input) => {
  const { deps, accountPage, form, context, req, res } = input;
  if (!context.passwordsEnabled)
    return {
      page: accountPage.notice({
        status: 404,
        messageKey: 'card.no-passwords',
        link: { href: '/', text: accountPage.t('card.to-sign-in') },
      }),
    };
  if (accountPage.token === '') return request(input);
  const { t } = accountPage;
  const found = await deps.tokens.peek('change-password', accountPage.token);
  if (found.state !== 'good') return { page: accountPage.invalidLink(found.state), done: true };
  const person = await deps.users.findUser(found.userId);
  if (!person) return { page: accountPage.invalidLink('unknown'), done: true };
  const renderForm = (faults: PasswordProblems) => ({
    page: accountPage.form({
      title: t('card.password-title'),
      lead: t('card.password-lead', { email: person.email }),
      fields: passwordFields(t, faults),
      submit: t('card.password-submit'),
    }),
  });
  if (!form) return renderForm({});
  const faults = await findPasswordProblems(t, form, [person.email, person.displayName]);
  if (Object.keys(faults).length > 0) return renderForm(faults);
  // All in one transaction: a failure must neither use up the link nor leave a new password that nobody was told of.
  const isSet = await deps.users.setPassword(person.userId, form.get('password')!, async (tx) => {
    const used = await deps.tokens.redeem(tx, 'change-password', accountPage.token);
    if (!used) return false;
    // Access to the mailbox proves ownership, so failed attempts by others no longer count.
    await deps.limit.clear(tx, 'password', person.email);
    await queuePasswordNotice(tx, context, person, accountPage.language);
    return true;
  });
  if (!isSet) return { page: accountPage.invalidLink('used'), done: true };
  context.mail.wake();
  await deps.devices.remember({ req, res }, person.userId, { secondStep: false });
  context.log({ level: 'info', message: 'Password set', userId: person.userId });
  const link = { href: '/', text: t('card.to-sign-in') };
  return {
    page: accountPage.notice({ status: 200, messageKey: 'card.password-done', link }),
    done: true,
    actor: { kind: 'person', userId: person.userId, name: person.displayName },
  };
};

/** Where mail can be sent, the reply is always the same, so that it does not reveal which accounts exist. */
const request: AccountPageHandler = async ({
  deps,
  accountPage,
  form,
  context,
  address,
  req,
  afterReply,
}) => {
  const { t, language } = accountPage;
  if (!context.mail.canSend)
    return {
      page: accountPage.notice({
        status: 200,
        messageKey: 'card.no-mail',
        link: { href: '/', text: t('card.to-sign-in') },
      }),
    };
  const email = (form?.get('email') ?? '').trim().slice(0, 254);
  const renderForm = (problem?: { text: string; wait?: number }) => ({
    page: accountPage.form({
      title: t('card.request-title'),
      lead: t('card.request-lead'),
      problem: problem?.text,
      ...(problem?.wait ? { status: 429, retryAfterSeconds: Math.ceil(problem.wait / 1000) } : {}),
      fields: [
        {
          name: 'email',
          label: t('signin.email'),
          type: 'email',
          autocomplete: 'username',
          value: email,
          maxLength: 254,
        },
      ],
      submit: t('card.request'),
      links: [{ href: '/', text: t('card.to-sign-in') }],
    }),
  });
  if (!form) return renderForm();
  if (!/^\S+@\S+$/.test(email)) return renderForm({ text: t('rule.email') });
  // Every request counts, so that a mailbox cannot be flooded.
  const device = await deps.devices.findForEmail(req, email);
  const attempt = await deps.limit.begin({ purpose: 'reset-mail', account: email, address, device });
  if (attempt.wait > 0) return renderForm({ text: formatWaitTime(t, attempt.wait), wait: attempt.wait });
  afterReply(async () => {
    const person = await deps.users.findUser({ email });
    if (!person || person.disabled) return;
    await context.database.transaction(async (tx) => {
      const token = await deps.tokens.issue(tx, {
        purpose: 'change-password',
        userId: person.userId,
        lifetime: minutes * 60_000,
      });
      await context.mail.queue(tx, {
        kind: 'change-password',
        to: person.email,
        language,
        params: {
          name: person.displayName,
          space: await context.spaceName(tx),
          link: `${context.publicUrl}/change-password?token=${token}`,
          minutes,
        },
      });
    });
    context.mail.wake();
  });
  const link = { href: '/', text: t('card.to-sign-in') };
  return {
    page: accountPage.notice({ status: 200, messageKey: 'card.requested', params: { minutes }, link }),
  };
};
