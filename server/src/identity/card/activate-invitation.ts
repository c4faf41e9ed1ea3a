// The card behind an invitation: a name and a password, once.
import type { AccountPageContext } from './card-work.ts';
import { type PasswordFaults, passwordFaults, passwordFields } from './new-password.ts';

const maxNameLength = 100;

export const activateInvitation: AccountPageContext = async ({ deps, card, form, context }) => {
  const { t } = card;
  const found = await deps.invitations.look(card.token);
  if (found.state !== 'good') return { page: card.gone(found.state), done: true };
  const { email } = found;
  const displayName = (form?.get('displayName') ?? '').trim();
  const ask = (faults: PasswordFaults & { name?: string }) => ({
    page: card.form({
      title: t('card.activate-title'),
      lead: t('card.activate-lead', { email }),
      fields: [
        {
          name: 'displayName',
          label: t('card.name'),
          type: 'text',
          autocomplete: 'name',
          value: displayName,
          fault: faults.name,
          longest: maxNameLength,
        },
        ...passwordFields(t, faults),
      ],
      submit: t('card.activate'),
    }),
  });
  if (!form) return ask({});
  if (displayName === '' || [...displayName].length > maxNameLength || displayName.includes('\0'))
    return ask({ name: t('card.name-rule', { count: maxNameLength }) });
  const faults = await passwordFaults(t, form, [email, displayName]);
  if (Object.keys(faults).length > 0) return ask(faults);
  const made = await deps.invitations.accept(card.token, {
    displayName,
    password: form.get('password')!,
  });
  if ('state' in made) return { page: card.gone(made.state === 'taken' ? 'used' : made.state), done: true };
  context.log({ level: 'info', message: 'Invitation accepted', userId: made.userId });
  const link = { href: '/', text: t('card.to-sign-in') };
  return {
    page: card.notice({ status: 200, word: 'card.activate-done', params: { email }, link }),
    done: true,
    actor: { kind: 'person', userId: made.userId, name: displayName },
  };
};
