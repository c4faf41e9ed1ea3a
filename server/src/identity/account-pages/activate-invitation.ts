// Account page that accepts an invitation: sets a name and a password, once.
import { checkNameCharacters } from '@yagura/core/validation/name-characters';
import { formatViolation } from '@yagura/core/validation/violation';
import type { AccountPageHandler } from './account-page-handler.ts';
import { findPasswordProblems, type PasswordProblems, passwordFields } from './new-password-fields.ts';

const maxNameLength = 100;

export const activateInvitation: AccountPageHandler = async ({ deps, accountPage, form, context }) => {
  const { t } = accountPage;
  const found = await deps.invitations.findByToken(accountPage.token);
  if (found.state !== 'good') return { page: accountPage.invalidLink(found.state), done: true };
  const { email } = found;
  const displayName = (form?.get('displayName') ?? '').trim();
  const renderForm = (faults: PasswordProblems & { name?: string }) => ({
    page: accountPage.form({
      title: t('card.activate-title'),
      lead: t('card.activate-lead', { email }),
      fields: [
        {
          name: 'displayName',
          label: t('card.name'),
          type: 'text',
          autocomplete: 'name',
          value: displayName,
          error: faults.name,
          maxLength: maxNameLength,
        },
        ...passwordFields(t, faults),
      ],
      submit: t('card.activate'),
    }),
  });
  if (!form) return renderForm({});
  const refused = checkNameCharacters(displayName);
  if (refused) return renderForm({ name: formatViolation(refused, t) });
  if (displayName === '' || [...displayName].length > maxNameLength || !displayName.isWellFormed())
    return renderForm({ name: t('card.name-rule', { count: maxNameLength }) });
  const faults = await findPasswordProblems(t, form, [email, displayName]);
  if (Object.keys(faults).length > 0) return renderForm(faults);
  const made = await deps.invitations.accept(accountPage.token, {
    displayName,
    password: form.get('password')!,
  });
  const link = { href: '/', text: t('card.to-sign-in') };
  if ('state' in made) {
    if (made.state === 'full')
      return { page: accountPage.notice({ status: 409, messageKey: 'external.full', link }) };
    return { page: accountPage.invalidLink(made.state === 'taken' ? 'used' : made.state), done: true };
  }
  context.log({ level: 'info', message: 'Invitation accepted', userId: made.userId });
  return {
    page: accountPage.notice({ status: 200, messageKey: 'card.activate-done', params: { email }, link }),
    done: true,
    actor: { kind: 'person', userId: made.userId, name: displayName },
  };
};
