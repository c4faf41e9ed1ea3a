// Layout of all sign-in and account pages, and their response headers.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { Html, html } from './html.ts';

export interface PageOptions {
  status: number;
  language: Language;
  t: Translate;
  title: string;
  body: Html;
  /** URL of the same page in the other language, if any. */
  switchLanguage?: string;
  /** Additional origins to which a form of the page may redirect. */
  formTargets?: readonly string[];
  retryAfterSeconds?: number | undefined;
  /** The only script of the page; no script runs when absent. */
  script?: string;
}

export interface Page {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const oneYear = 31_536_000;

const style = `
:root{color-scheme:light dark;--back:#f2f5f4;--card:#fff;--text:#1d2624;--quiet:#55625f;--line:#8a9794;--theme:#00876e;--button:#007a63;--link:#00705b;--wrong:#b3261e;--wrong-back:#fdecea}
@media (prefers-color-scheme:dark){:root{--back:#101514;--card:#1b2321;--text:#e6edeb;--quiet:#a4b2ae;--line:#70807b;--button:#007a63;--link:#5fd0b6;--wrong:#ffb4ab;--wrong-back:#4a1a17}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:16px;background:var(--back);color:var(--text);font:16px/1.6 system-ui,-apple-system,"Segoe UI","Hiragino Sans","Noto Sans JP","Yu Gothic UI",sans-serif}
main{width:100%;max-width:580px;background:var(--card);border-top:4px solid var(--theme);border-radius:8px;padding:32px;box-shadow:0 1px 4px rgb(0 0 0/.25)}
header{display:flex;justify-content:space-between;align-items:center;gap:16px;margin-bottom:24px}
.product{display:flex;align-items:center;gap:10px;font-weight:700}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 4px}
p{margin:0 0 20px}
.quiet{color:var(--quiet)}
label{display:block;font-weight:600;margin-bottom:4px}
input{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:4px;padding:9px 12px;margin-bottom:20px}
input[aria-invalid=true]{border-color:var(--wrong)}
.actions{display:flex;flex-wrap:wrap;gap:12px}
button,.button{font:inherit;font-weight:700;border:1px solid var(--button);border-radius:4px;padding:9px 24px;cursor:pointer;text-decoration:none;background:var(--button);color:#fff}
button.second,.button.second{background:transparent;color:var(--link);border-color:var(--line)}
form>button{width:100%}
.button.wide{display:block;text-align:center}
.hint,.fault{margin:0 0 4px;font-size:.875rem;color:var(--quiet)}
.fault{color:var(--wrong);font-weight:600}
.more{margin:20px 0 0}
form+form{margin-top:12px}
.check{display:flex;gap:8px;align-items:baseline;font-weight:400;margin-bottom:20px}
.check input{width:auto;margin:0}
a{color:var(--link)}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:0 0 20px}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
.code{font-family:ui-monospace,monospace;font-size:1.25rem;letter-spacing:.08em}
input.code{text-transform:uppercase}
:focus-visible{outline:3px solid var(--theme);outline-offset:2px}
.problem{background:var(--wrong-back);color:var(--wrong);border-radius:4px;padding:10px 14px;margin-bottom:20px;font-weight:600}
@media (max-width:480px){body{padding:0;align-items:stretch}main{border-radius:0;padding:24px 20px}}
`;
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleHash = hashOf(style);

const logo = 'M12 2 3 7v2h2l1 5H4v2h2l-1 6h3l1-6h6l1 6h3l-1-6h2v-2h-2l1-5h2V7zM8 9h8l-1 5H9z';
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#00876e" d="${logo}"/></svg>`,
)}`;

/** Renders the page without external resources: styles are allowed by hash, scripts only if given. */
export function renderPage(options: PageOptions): Page {
  const { language, t, title, body, switchLanguage } = options;
  const other = language === 'en' ? 'ja' : 'en';
  const link =
    switchLanguage &&
    html`<nav aria-label="${t('signin.language')}"><a href="${switchLanguage}" lang="${other}" hreflang="${other}">${t('signin.switch-language')}</a></nav>`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#00876e">
<meta name="robots" content="noindex">
<title>${title} - ${t('signin.product')}</title>
<link rel="icon" href="${icon}">
<style>`;
  const rest = html`</style>
</head>
<body>
<main>
<header><span class="product"><svg width="28" height="28" viewBox="0 0 24 24" aria-hidden="true"><path fill="#00876e" d="${logo}"/></svg>${t('signin.product')}</span>${link}</header>
<h1>${title}</h1>
${body}
</main>
${options.script && new Html(`<script>${options.script}</script>`)}
</body>
</html>
`;
  return {
    status: options.status,
    text: page.text + style + rest.text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-store',
      vary: 'Accept-Language, Cookie',
      ...securityHeaders(options.formTargets, options.script),
      ...(options.retryAfterSeconds ? { 'retry-after': String(options.retryAfterSeconds) } : {}),
    },
  };
}

/**
 * Headers of every reply under /oidc. Browsers apply form-action to redirects after a form post too, so the
 * return origin of a sign-in must be listed. Referrer-Policy stays same-origin: with a stricter one, forms
 * are sent with Origin null.
 */
export function securityHeaders(
  formTargets: readonly string[] = [],
  script?: string,
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    'img-src data:',
    ['form-action', "'self'", ...new Set(formTargets)].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
}

export function sendPage(res: ServerResponse, page: Page, withBody = true): void {
  res.writeHead(page.status, { ...page.headers, 'content-length': Buffer.byteLength(page.text) });
  res.end(withBody ? page.text : undefined);
}

/** Stores the chosen language in a cookie for a year. */
export function setLanguageCookie(res: ServerResponse, language: string, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  res.setHeader('set-cookie', `lng=${language}; Path=/; Max-Age=${oneYear}; SameSite=Lax${secure}`);
}

/** Redirects the browser with GET (303). Cookies already set on the reply are kept. */
export function redirect(res: ServerResponse, target: string): void {
  res.writeHead(303, { location: target, 'cache-control': 'no-store', 'content-length': 0 }).end();
}
