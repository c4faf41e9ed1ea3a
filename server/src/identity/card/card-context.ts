// What every card page is given: the request in its language, the token of its link, and replies on the card.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language, Translate } from '@yagura/core/words/translate';
import type { IdentityContext } from '../context.ts';
import { type FormFacts, formPage } from '../page/form-page.ts';
import { languageOf, queryOf } from '../page/language.ts';
import { accountPageNotice } from '../page/notice-page.ts';
import { type Page, redirect, rememberLanguage, sendPage } from '../page/page.ts';
import type { AccountPagePath } from './card-paths.ts';

export interface AccountPage {
  path: AccountPagePath;
  language: Language;
  t: Translate;
  /** Of the link, which the page's own cookie keeps; empty when there is none. */
  token: string;
  form(facts: Omit<FormFacts, 'language' | 't' | 'action'>): Page;
  /** A page that tells one thing; `word` is the first part of its words. */
  notice(facts: {
    status: number;
    word: string;
    detail?: string;
    params?: Record<string, string | number>;
    link: { href: string; text: string };
  }): Page;
  /** The page for a link that is not good. */
  gone(state: 'unknown' | 'expired' | 'used'): Page;
}

const linkForm = /^[\w-]{20,128}$/;
const cookieMaxAgeSeconds = 3_600;

export function openAccountPage(
  context: IdentityContext,
  req: IncomingMessage,
  path: AccountPagePath,
): AccountPage {
  const language = languageOf(req);
  const t = context.translators[language];
  const again = path === '/activate-invitation' ? '/change-password' : path;
  const card: AccountPage = {
    path,
    language,
    t,
    token: tokenOf(context, req, path),
    form: (facts) => formPage({ ...facts, language, t, action: path }),
    notice: ({ status, word, detail, params, link }) =>
      accountPageNotice({
        language,
        t,
        status,
        title: t(`${word}-title`, params),
        text: t(detail ?? word, params),
        link,
      }),
    gone(state) {
      const leaf = ['/activate-invitation', '/link-account', '/restore-email'].includes(path);
      const invited = path === '/activate-invitation' && state !== 'unknown';
      return card.notice({
        status: state === 'unknown' ? 404 : 410,
        word: `card.${state}`,
        detail: invited ? `card.${state}-invitation` : `card.${state}`,
        link: leaf ? { href: '/', text: t('card.to-sign-in') } : { href: again, text: t('card.ask-again') },
      });
    },
  };
  return card;
}

/**
 * Takes the token of a mailed link out of the address, which browsers and proxies remember, into a cookie; keeps a
 * chosen language. True when the browser was sent on.
 */
export function takeLink(
  { publicUrl }: IdentityContext,
  req: IncomingMessage,
  res: ServerResponse,
  path: AccountPagePath,
): boolean {
  const query = queryOf(req);
  const chosen = query.get('lng');
  const token = query.get('token');
  if (chosen === 'en' || chosen === 'ja') rememberLanguage(res, chosen, publicUrl);
  else if (token === null) return false;
  if (token !== null) {
    const value = linkForm.test(token) ? token : 'x'.repeat(20);
    res.appendHeader('set-cookie', cookieLine(publicUrl, path, value, cookieMaxAgeSeconds));
  }
  redirect(res, path);
  return true;
}

/** Forgets the token, after it was used up. */
export function dropLink({ publicUrl }: IdentityContext, res: ServerResponse, path: AccountPagePath): void {
  res.appendHeader('set-cookie', cookieLine(publicUrl, path, '', 0));
}

export function reply(req: IncomingMessage, res: ServerResponse, page: Page): void {
  sendPage(res, page, req.method !== 'HEAD');
}

function cookieName(publicUrl: string, path: AccountPagePath): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}yagura_${path.slice(1)}`;
}

function cookieLine(publicUrl: string, path: AccountPagePath, value: string, life: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(publicUrl, path)}=${value}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`;
}

function tokenOf({ publicUrl }: IdentityContext, req: IncomingMessage, path: AccountPagePath): string {
  const name = cookieName(publicUrl, path);
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.split('=', 2).map((text) => text.trim());
    if (key === name && linkForm.test(value)) return value;
  }
  return '';
}
