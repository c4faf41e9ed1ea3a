// Form fields for a new password, and their validation.
import type { Translate } from '@yagura/core/i18n/translator';
import { passwordLimits } from '@yagura/core/validation/password';
import type { FormField } from '../pages/form-page.ts';
import { findPasswordProblem } from '../users/password.ts';

export interface PasswordProblems {
  password?: string;
  repeat?: string;
}

/** Why the password is refused, in the language of the page; empty when it is accepted. */
export async function findPasswordProblems(
  t: Translate,
  form: URLSearchParams,
  own: readonly string[],
): Promise<PasswordProblems> {
  const password = form.get('password') ?? '';
  const fault = await findPasswordProblem(password, own);
  if (fault) return { password: t(fault.word, fault.params) };
  return form.get('repeat') === password ? {} : { repeat: t('card.not-equal') };
}

export function passwordFields(t: Translate, faults: PasswordProblems): FormField[] {
  const common = {
    type: 'password',
    autocomplete: 'new-password',
    maxLength: passwordLimits.longest,
  } as const;
  return [
    {
      ...common,
      name: 'password',
      label: t('card.new-password'),
      hint: t('card.password-rule', { count: passwordLimits.shortest }),
      error: faults.password,
    },
    { ...common, name: 'repeat', label: t('card.repeat-password'), error: faults.repeat },
  ];
}
