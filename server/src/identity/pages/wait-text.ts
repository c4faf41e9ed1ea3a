// How long somebody who failed too often has to wait, as a sentence.
import type { Translate } from '@yagura/core/i18n/translator';

/** Seconds up to a minute and a half, minutes beyond. */
export function waitText(t: Translate, milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 90) return t('signin.wait-seconds', { count: seconds });
  return t('signin.wait-minutes', { count: Math.ceil(seconds / 60) });
}
