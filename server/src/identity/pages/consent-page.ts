// Asks whether a program on this computer may sign in as the command-line client.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { html } from './html.ts';
import { type Page, renderPage } from './page.ts';

export interface ConsentPageOptions {
  language: Language;
  t: Translate;
  /** Form action. */
  action: string;
  /** Address of the account. */
  email: string;
  returnOrigin: string | undefined;
}

export function consentPage({ language, t, action, email, returnOrigin }: ConsentPageOptions): Page {
  return renderPage({
    status: 200,
    language,
    t,
    title: t('consent.title'),
    switchLanguage: `${action}?lng=${language === 'en' ? 'ja' : 'en'}`,
    formTargets: returnOrigin ? [returnOrigin] : [],
    body: html`<p>${t('consent.lead', { email })}</p>
<p class="problem">${t('consent.warning')}</p>
<form method="post" action="${action}" class="actions">
<button type="submit" name="confirm" value="yes" autofocus>${t('device.allow')}</button>
<button type="submit" name="abort" value="yes" class="second">${t('device.refuse')}</button>
</form>`,
  });
}
