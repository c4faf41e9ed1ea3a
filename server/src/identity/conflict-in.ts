// The 409 that a caller reads in their language.
import { Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Language } from '@yagura/core/i18n/translator';

export async function conflictIn(
  language: Language,
  key: MessageKey,
  params?: Record<string, unknown>,
): Promise<Problem> {
  const t = await loadTranslator(language);
  return new Problem('conflict', { detail: t(key, params) });
}
