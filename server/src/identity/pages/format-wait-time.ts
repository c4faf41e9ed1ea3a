// Formats the remaining wait after too many failed attempts.
import type { Translate } from '@yagura/core/i18n/translator';

/** In seconds up to a minute and a half, in minutes above. */
export function formatWaitTime(t: Translate, milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 90) return t('signin.wait-seconds', { count: seconds });
  return t('signin.wait-minutes', { count: Math.ceil(seconds / 60) });
}
