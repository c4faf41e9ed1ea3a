// Pages with one message: an error, an expired sign-in, a completed or unconfirmed sign-out.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { isTemporary } from '../../http/temporary-error.ts';
import { Html, html } from './html.ts';
import { type Page, renderPage } from './page.ts';

interface NoticePageOptions {
  language: Language;
  t: Translate;
  /** URL of the console. */
  home: string;
}

/**
 * Error page of the provider: what to do, and the RFC 6749 error code for support; never the internal reason.
 */
export function errorPage(options: NoticePageOptions & { status: number; code: string }): Page {
  const { t, status, code } = options;
  const ours = status >= 500;
  return renderNotice(options, {
    status,
    title: t('signin.error-title'),
    body: html`<p>${t(ours ? 'signin.error-server' : 'signin.error')}</p>
<p class="quiet">${t('signin.error-code', { code })}</p>`,
    link: t('signin.start-again'),
    retryAfterSeconds: status === 503 ? 5 : undefined,
  });
}

/** The page for an error that was thrown while another page was made. */
export function failurePage(options: NoticePageOptions, error: unknown): Page {
  return isTemporary(error)
    ? errorPage({ ...options, status: 503, code: 'temporarily_unavailable' })
    : errorPage({ ...options, status: 500, code: 'server_error' });
}

export function expiredPage(options: NoticePageOptions): Page {
  const { t } = options;
  return renderNotice(options, {
    status: 400,
    title: t('signin.expired-title'),
    body: html`<p>${t('signin.expired')}</p>`,
    link: t('signin.start-again'),
  });
}

export function notFoundPage(options: NoticePageOptions): Page {
  const { t } = options;
  return renderNotice(options, {
    status: 404,
    title: t('signin.missing-title'),
    body: html`<p>${t('signin.missing')}</p>`,
    link: t('signin.to-console'),
  });
}

export function signedOutPage(options: NoticePageOptions): Page {
  const { t } = options;
  return renderNotice(options, {
    status: 200,
    title: t('signin.signed-out-title'),
    body: html`<p>${t('signin.signed-out')}</p>`,
    link: t('signin.title'),
  });
}

/** Account page with one message and a link. */
export function accountPageNotice(options: {
  language: Language;
  t: Translate;
  status: number;
  title: string;
  text: string;
  link: { href: string; text: string };
}): Page {
  const { text, link, ...rest } = options;
  return renderPage({
    ...rest,
    body: html`<p>${text}</p>
<div class="actions"><a class="button" href="${link.href}">${link.text}</a></div>`,
  });
}

/**
 * Page that continues to the sign-out at the external provider. Not a redirect: form-action applies to
 * redirects after a form post and allows only this origin.
 */
export function signingOutPage({
  provider,
  address,
  ...options
}: Omit<NoticePageOptions, 'home'> & { provider: string; address: URL }): Page {
  const { t } = options;
  const page = accountPageNotice({
    ...options,
    status: 200,
    title: t('external.signing-out-title'),
    text: t('external.signing-out', { provider }),
    link: { href: address.href, text: t('external.sign-out', { provider }) },
  });
  return { ...page, headers: { ...page.headers, refresh: `0; url=${address.href}` } };
}

/**
 * Confirmation page for signing out; `form` is the provider's own form with id op.logoutForm, which contains
 * its secret.
 */
export function confirmSignOutPage(options: Omit<NoticePageOptions, 'home'> & { form: string }): Page {
  const { language, t, form } = options;
  return renderPage({
    status: 200,
    language,
    t,
    title: t('signin.sign-out-title'),
    body: html`<p class="quiet">${t('signin.sign-out')}</p>
${new Html(form)}
<div class="actions">
<button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>${t('signin.sign-out-yes')}</button>
<button type="submit" form="op.logoutForm" class="second">${t('signin.sign-out-no')}</button>
</div>`,
  });
}

function renderNotice(
  { language, t, home }: NoticePageOptions,
  options: {
    status: number;
    title: string;
    body: Html;
    link: string;
    retryAfterSeconds?: number | undefined;
  },
): Page {
  const { link, body, retryAfterSeconds, ...rest } = options;
  return renderPage({
    ...rest,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    language,
    t,
    body: html`${body}
<div class="actions"><a class="button" href="${home}">${link}</a></div>`,
  });
}
