// Translates the browser's constraint validation errors to the page's language.
import type { Translate } from '@yagura/core/i18n/translator';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the error message of a control; undefined if it is valid. */
export function validationMessage(control: Control, t: Translate): string | undefined {
  const { validity } = control;
  if (validity.valid) return undefined;
  if (validity.customError) return control.validationMessage;
  if (validity.valueMissing) return t(control.tagName === 'SELECT' ? 'rule.select' : 'rule.required');
  const bound = (name: string) => Number(control.getAttribute(name));
  if (validity.badInput) return t('rule.number');
  if (validity.stepMismatch) return t('rule.integer');
  if (validity.rangeUnderflow || validity.rangeOverflow) {
    const { minText, maxText } = control.dataset;
    if (minText !== undefined && maxText !== undefined)
      return t('rule.durationInRange', { min: minText, max: maxText });
    const min = minText ?? control.getAttribute('min');
    const max = maxText ?? control.getAttribute('max');
    if (min !== null && max !== null) return t('rule.inRange', { min, max });
    return min !== null ? t('rule.greaterOrEqual', { min }) : t('rule.lessOrEqual', { max });
  }
  if (validity.tooShort) return t('rule.minLength', { count: bound('minlength') });
  if (validity.tooLong) return t('rule.maxLength', { count: bound('maxlength') });
  if (validity.typeMismatch) return t(control.type === 'email' ? 'rule.email' : 'rule.url');
  return t('rule.invalid');
}

/** Returns the error messages of a form's invalid controls by field name. */
export function validationMessages(form: HTMLFormElement, t: Translate): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const control of form.elements) {
    if (!isControl(control) || control.disabled || !control.willValidate) continue;
    const name = controlName(control);
    const reason = name && validationMessage(control, t);
    if (reason) reasons[name] ??= reason;
  }
  return reasons;
}

/**
 * Returns the field name of a control; a control that only displays a hidden input's value has it in
 * `data-name`.
 */
export function controlName(control: HTMLElement): string {
  return (control as Partial<Control>).name || control.dataset.name || '';
}

function isControl(element: Element): element is Control {
  return ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName);
}
