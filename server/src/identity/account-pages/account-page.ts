// Context of an account page: language, link token, and helpers for replies.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { IdentityContext } from '../identity-context.ts';
import { type FormPageOptions, formPage } from '../pages/form-page.ts';
import { languageOf, queryOf } from '../pages/language.ts';
import { accountPageNotice } from '../pages/notice-page.ts';
import { type Page, redirect, sendPage, setLanguageCookie } from '../pages/page.ts';
import type { AccountPagePath } from './account-page-paths.ts';

/** Keys with a second one, ending in `-title`, for the title. */
type TitledKey<Key = MessageKey> = Key extends `${infer Base}-title` ? Base : never;

export interface AccountPage {
  path: AccountPagePath;
  language: Language;
  t: Translate;
  /** Token of the link, kept in a cookie of the page; empty when there is none. */
  token: string;
  form(options: Omit<FormPageOptions, 'language' | 't' | 'action'>): Page;
  /** A page with one message; `word` is the prefix of its message keys. */
  notice(options: {
    status: number;
    messageKey: TitledKey;
    detail?: MessageKey;
    params?: Record<string, string | number>;
    link: { href: string; text: string };
  }): Page;
  /** The page for an invalid link. */
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
        title: t(`${messageKey}-title` as MessageKey, params),
        text: t(detail ?? (messageKey as MessageKey), params),
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
 * Moves the token of a mailed link from the URL, which browsers and proxies record, to a cookie, and stores a
 * chosen language. Returns true when the browser was redirected.
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

/** Deletes the cookie of a used token. */
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
