// The card for a new password: a mail is asked for, its link leads back here.

import { isoTime } from '../../clock.ts';
import { waitText } from '../page/wait-text.ts';
import type { AccountPageContext } from './card-work.ts';
import { type PasswordFaults, passwordFaults, passwordFields } from './new-password.ts';

const minutes = 60;

export const changePassword: AccountPageContext = async (facts) => {
  const { deps, card, form, context, req, res } = facts;
  if (!context.passwords)
    return {
      page: card.notice({
        status: 404,
        word: 'card.no-passwords',
        link: { href: '/', text: card.t('card.to-sign-in') },
      }),
    };
  if (card.token === '') return request(facts);
  const { t } = card;
  const found = await deps.tokens.look('change-password', card.token);
  if (found.state !== 'good') return { page: card.gone(found.state), done: true };
  const person = await deps.people.findPerson(found.userId);
  if (!person) return { page: card.gone('unknown'), done: true };
  const ask = (faults: PasswordFaults) => ({
    page: card.form({
      title: t('card.password-title'),
      lead: t('card.password-lead', { email: person.email }),
      fields: passwordFields(t, faults),
      submit: t('card.password-submit'),
    }),
  });
  if (!form) return ask({});
  const faults = await passwordFaults(t, form, [person.email, person.displayName]);
  if (Object.keys(faults).length > 0) return ask(faults);
  const used = await context.database.transaction((tx) => deps.tokens.use(tx, 'change-password', card.token));
  if (!used) return { page: card.gone('used'), done: true };
  await deps.people.setPassword(person.userId, form.get('password')!);
  // The mailbox is the owner's: what others have tried on the account stands in their way no more.
  await deps.limit.clear(context.database, 'password', person.email);
  await deps.devices.remember({ req, res }, person.userId, { secondStep: false });
  await context.mail.queue(context.database, {
    kind: 'password-changed',
    to: person.email,
    language: card.language,
    params: {
      name: person.displayName,
      space: await context.spaceName(context.database),
      time: isoTime(context.clock.now()).slice(0, 16).replace('T', ' '),
      link: `${context.publicUrl}/change-password`,
    },
  });
  context.mail.wake();
  context.log({ level: 'info', message: 'Password set', userId: person.userId });
  const link = { href: '/', text: t('card.to-sign-in') };
  return {
    page: card.notice({ status: 200, word: 'card.password-done', link }),
    done: true,
    actor: { kind: 'person', userId: person.userId, name: person.displayName },
  };
};

/** Says the same whoever asks: nobody learns here who can sign in. */
const request: AccountPageContext = async ({ deps, card, form, context, address, req, later }) => {
  const { t, language } = card;
  const email = (form?.get('email') ?? '').trim().slice(0, 254);
  const ask = (problem?: { text: string; wait?: number }) => ({
    page: card.form({
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
          longest: 254,
        },
      ],
      submit: t('card.request'),
      links: [{ href: '/', text: t('card.to-sign-in') }],
    }),
  });
  if (!form) return ask();
  if (!/^\S+@\S+$/.test(email)) return ask({ text: t('rule.email') });
  // Every request counts, so that nobody's mailbox is filled.
  const device = await deps.devices.ofEmail(req, email);
  const attempt = await deps.limit.begin({ purpose: 'reset-mail', account: email, address, device });
  if (attempt.wait > 0) return ask({ text: waitText(t, attempt.wait), wait: attempt.wait });
  later(async () => {
    const person = await deps.people.findPerson({ email });
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
  return { page: card.notice({ status: 200, word: 'card.requested', params: { minutes }, link }) };
};
