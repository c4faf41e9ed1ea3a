// Device authorization pages (RFC 8628): entry of the user code, then confirmation of the requesting device.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { html } from './html.ts';
import { type Page, renderPage } from './page.ts';

interface DevicePageOptions {
  language: Language;
  t: Translate;
  /** Form action. */
  action: string;
  /** CSRF token, checked by the library. */
  xsrf: string;
}

export function deviceCodePage(
  options: DevicePageOptions & {
    userCode: string;
    status: number;
    problem?: string | undefined;
    retryAfterSeconds?: number | undefined;
  },
): Page {
  const { language, t, action, xsrf, userCode, problem, status, retryAfterSeconds } = options;
  return renderPage({
    status,
    language,
    t,
    title: t('device.title'),
    switchLanguage: `?lng=${language === 'en' ? 'ja' : 'en'}`,
    retryAfterSeconds,
    body: html`<p class="quiet">${t('device.lead')}</p>
${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<label for="user_code">${t('device.code')}</label>
<input id="user_code" name="user_code" type="text" class="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" placeholder="XXXX-XXXX" required value="${userCode}"${problem && html` aria-invalid="true" aria-describedby="problem"`} autofocus>
<button type="submit">${t('device.go-on')}</button>
</form>`,
  });
}

export function deviceConfirmPage(
  options: DevicePageOptions & {
    userCode: string;
    shownCode: string;
    client: string;
    address: string;
    userAgent: string;
  },
): Page {
  const { language, t, action, xsrf, userCode, shownCode, client, address, userAgent } = options;
  return renderPage({
    status: 200,
    language,
    t,
    title: t('device.confirm-title'),
    body: html`<p>${t('device.confirm')}</p>
<dl><dt>${t('device.code')}</dt><dd class="code">${shownCode}</dd>
<dt>${t('device.client')}</dt><dd>${client}</dd>
<dt>${t('device.address')}</dt><dd>${address}</dd>
<dt>${t('device.program')}</dt><dd>${userAgent || '-'}</dd></dl>
<p class="problem">${t('device.warning')}</p>
<form method="post" action="${action}" class="actions">
<input type="hidden" name="xsrf" value="${xsrf}"><input type="hidden" name="user_code" value="${userCode}">
<button type="submit" name="confirm" value="yes">${t('device.allow')}</button>
<button type="submit" name="abort" value="yes" class="second">${t('device.refuse')}</button>
</form>`,
  });
}
