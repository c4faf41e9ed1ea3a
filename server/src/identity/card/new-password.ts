// The two fields with which a new password is given, and what is wrong with them.
import type { Translate } from '@yagura/core/words/translate';
import type { FormField } from '../page/form-page.ts';
import { passwordFault, passwordLimits } from '../password.ts';

export interface PasswordFaults {
  password?: string;
  repeat?: string;
}

/** The reasons in the language of the page; empty when the password is good. */
export async function passwordFaults(
  t: Translate,
  form: URLSearchParams,
  own: readonly string[],
): Promise<PasswordFaults> {
  const password = form.get('password') ?? '';
  const fault = await passwordFault(password, own);
  if (fault) return { password: t(fault.word, fault.params) };
  return form.get('repeat') === password ? {} : { repeat: t('card.not-equal') };
}

export function passwordFields(t: Translate, faults: PasswordFaults): FormField[] {
  const common = { type: 'password', autocomplete: 'new-password', longest: passwordLimits.longest } as const;
  return [
    {
      ...common,
      name: 'password',
      label: t('card.new-password'),
      hint: t('card.password-rule', { count: passwordLimits.shortest }),
      fault: faults.password,
    },
    { ...common, name: 'repeat', label: t('card.repeat-password'), fault: faults.repeat },
  ];
}
