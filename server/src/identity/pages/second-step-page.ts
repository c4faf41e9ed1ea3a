// Second step of a sign-in: app code, recovery code or passkey.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { html } from './html.ts';
import { type Page, renderPage } from './page.ts';
import { passkeyForm, passkeyScript } from './passkey-form.ts';
import { problemStatus, problemText, type SignInProblem } from './sign-in-page.ts';

export interface SecondStepPageOptions {
  language: Language;
  t: Translate;
  action: string;
  rememberedDays: number;
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
  problem?: SignInProblem;
  returnOrigin: string | undefined;
}

export function secondStepPage(options: SecondStepPageOptions): Page {
  const { language, t, action, passkey, problem, returnOrigin } = options;
  // A refused passkey says nothing of what is in the field.
  const codeProblem = problem?.kind === 'passkey' ? undefined : problem;
  return renderPage({
    status: problemStatus(problem),
    language,
    t,
    title: t('factor.title'),
    switchLanguage: `${action}?lng=${language === 'en' ? 'ja' : 'en'}`,
    formTargets: returnOrigin ? [returnOrigin] : [],
    retryAfterSeconds: problem?.kind === 'wait' ? Math.ceil(problem.milliseconds / 1000) : undefined,
    ...(passkey ? { script: passkeyScript } : {}),
    body: html`<p class="quiet">${t('factor.lead')}</p>
${problem && html`<p class="problem" id="problem" role="alert">${problem.kind === 'wrong' ? t('factor.wrong-code') : problemText(t, problem)}</p>`}
<form method="post" action="${action}">
<label for="code">${t('factor.code')}</label>
<p class="hint" id="code-hint">${t('factor.code-hint')}</p>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="32" required aria-describedby="code-hint${codeProblem && ' problem'}"${codeProblem && html` aria-invalid="true"`} autofocus>
<label class="check"><input type="checkbox" name="remember" value="yes"> ${t('factor.remember', { count: options.rememberedDays })}</label>
<button type="submit">${t('factor.submit')}</button>
</form>
${passkey && passkeyForm(t, action, passkey)}
<form method="post" action="${action}"><button type="submit" name="restart" value="yes" class="second">${t('signin.start-again')}</button></form>`,
  });
}
