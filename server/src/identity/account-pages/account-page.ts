// What every card page is given: the request in its language, the token of its link, and replies on the card.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { IdentityContext } from '../identity-context.ts';
import { type FormPageOptions, formPage } from '../pages/form-page.ts';
import { languageOf, queryOf } from '../pages/language.ts';
import { accountPageNotice } from '../pages/notice-page.ts';
import { type Page, redirect, sendPage, setLanguageCookie } from '../pages/page.ts';
import type { AccountPagePath } from './account-page-paths.ts';

export interface AccountPage {
  path: AccountPagePath;
  language: Language;
  t: Translate;
  /** Of the link, which the page's own cookie keeps; empty when there is none. */
  token: string;
  form(options: Omit<FormPageOptions, 'language' | 't' | 'action'>): Page;
  /** A page that tells one thing; `word` is the first part of its words. */
  notice(options: {
    status: number;
    messageKey: string;
    detail?: string;
    params?: Record<string, string | number>;
    link: { href: string; text: string };
  }): Page;
  /** The page for a link that is not good. */
  invalidLink(state: 'unknown' | 'expired' | 'used'): Page;
}

const tokenPattern = /^[\w-]{20,128}$/;
const cookieMaxAgeSeconds = 3_600;

export function createAccountPage(
  context: IdentityContext,
  req: IncomingMessage,
  path: AccountPagePath,
): AccountPage {
  const language = languageOf(req);
  const t = context.translators[language];
  const again = path === '/activate-invitation' ? '/change-password' : path;
  const accountPage: AccountPage = {
    path,
    language,
    t,
    token: tokenOf(context, req, path),
    form: (options) => formPage({ ...options, language, t, action: path }),
    notice: ({ status, messageKey, detail, params, link }) =>
      accountPageNotice({
        language,
        t,
        status,
        title: t(`${messageKey}-title`, params),
        text: t(detail ?? messageKey, params),
        link,
      }),
    invalidLink(state) {
      const leaf = ['/activate-invitation', '/link-account', '/restore-email'].includes(path);
      const invited = path === '/activate-invitation' && state !== 'unknown';
      return accountPage.notice({
        status: state === 'unknown' ? 404 : 410,
        messageKey: `card.${state}`,
        detail: invited ? `card.${state}-invitation` : `card.${state}`,
        link: leaf ? { href: '/', text: t('card.to-sign-in') } : { href: again, text: t('card.ask-again') },
      });
    },
  };
  return accountPage;
}

/**
 * Takes the token of a mailed link out of the address, which browsers and proxies remember, into a cookie; keeps a
 * chosen language. True when the browser was sent on.
 */
export function moveTokenToCookie(
  { publicUrl }: IdentityContext,
  req: IncomingMessage,
  res: ServerResponse,
  path: AccountPagePath,
): boolean {
  const query = queryOf(req);
  const chosen = query.get('lng');
  const token = query.get('token');
  if (chosen === 'en' || chosen === 'ja') setLanguageCookie(res, chosen, publicUrl);
  else if (token === null) return false;
  if (token !== null) {
    const value = tokenPattern.test(token) ? token : 'x'.repeat(20);
    res.appendHeader('set-cookie', tokenCookie(publicUrl, path, value, cookieMaxAgeSeconds));
  }
  redirect(res, path);
  return true;
}

/** Forgets the token, after it was used up. */
export function clearTokenCookie(
  { publicUrl }: IdentityContext,
  res: ServerResponse,
  path: AccountPagePath,
): void {
  res.appendHeader('set-cookie', tokenCookie(publicUrl, path, '', 0));
}

export function sendAccountPage(req: IncomingMessage, res: ServerResponse, page: Page): void {
  sendPage(res, page, req.method !== 'HEAD');
}

function cookieName(publicUrl: string, path: AccountPagePath): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}yagura_${path.slice(1)}`;
}

function tokenCookie(publicUrl: string, path: AccountPagePath, value: string, maxAgeSeconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(publicUrl, path)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

function tokenOf({ publicUrl }: IdentityContext, req: IncomingMessage, path: AccountPagePath): string {
  const name = cookieName(publicUrl, path);
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.split('=', 2).map((text) => text.trim());
    if (key === name && tokenPattern.test(value)) return value;
  }
  return '';
}
