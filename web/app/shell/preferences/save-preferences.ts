// Saves the language, color scheme or developer mode in a cookie and redirects back to the page.
import type { ActionFunctionArgs } from '@remix-run/node';
import { redirect, redirectDocument } from '@remix-run/node';
import { isLanguage } from '@yagura/core/i18n/language';
import { themes } from '../../preferences/preferences.server.ts';
import { returnPath } from '../../signin/return-path.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { developerModeCookie } from './developer-mode.ts';

const oneYearSeconds = 365 * 24 * 3600;

export const loader = () => redirect('/');

export async function action({ request, context }: ActionFunctionArgs) {
  rejectCrossSiteRequest(request, context);
  const form = await request.formData();
  const headers = new Headers();
  const setCookie = (name: string, value: string) =>
    headers.append('set-cookie', `${name}=${value}; Path=/; SameSite=Lax; Max-Age=${oneYearSeconds}`);
  const language = form.get('language');
  if (isLanguage(language)) setCookie('lng', language);
  const theme = form.get('theme');
  if (themes.some((isValid) => isValid === theme)) setCookie('theme', String(theme));
  const developer = form.get('developer-mode');
  if (developer === 'true' || developer === 'false') setCookie(developerModeCookie, developer);
  const back = returnPath(form.get('return'));
  // Another language needs other translations, so the document is reloaded.
  return language ? redirectDocument(back, { headers }) : redirect(back, { headers });
}
