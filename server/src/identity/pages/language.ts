// Selects the language of a page: an earlier choice, else the client's request, else the browser's
// preference.
import type { IncomingMessage } from 'node:http';
import { isLanguage, type Language, pickLanguage, type Translate } from '@yagura/core/i18n/translator';

export type Translators = Readonly<Record<Language, Translate>>;

/**
 * Precedence: `lng` in the query, the cookie `lng`, the parameter ui_locales (OpenID Connect Core, 3.1.2.1),
 * Accept-Language.
 */
export function languageOf(req: IncomingMessage, uiLocales?: unknown): Language {
  const chosen = queryOf(req).get('lng') ?? cookieOf(req, 'lng');
  if (isLanguage(chosen)) return chosen;
  if (typeof uiLocales === 'string' && /\b(en|ja)\b/i.test(uiLocales))
    return pickLanguage(uiLocales.split(' '));
  return pickLanguage(req.headers['accept-language']);
}

export function queryOf(req: IncomingMessage): URLSearchParams {
  const url = req.url ?? '';
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

function cookieOf(req: IncomingMessage, name: string): string | undefined {
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}
