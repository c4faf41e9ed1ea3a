// Sign-in page with email and password.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { formatWaitTime } from './format-wait-time.ts';
import { html } from './html.ts';
import { type Page, renderPage } from './page.ts';
import { passkeyForm, passkeyScript } from './passkey-form.ts';

export type SignInProblem =
  | { kind: 'wrong' }
  | { kind: 'passkey' }
  | { kind: 'fill-in' }
  | { kind: 'foreign' }
  | { kind: 'busy' }
  | { kind: 'wait'; milliseconds: number };

export interface SignInPageOptions {
  /** Options for signing in with a passkey alone; null hides the button. */
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
  /** False: the external provider is the only way. */
  passwords: boolean;
  /** Name of the external provider. */
  external: string | undefined;
  language: Language;
  t: Translate;
  /** Path of this page, used as the form action. */
  action: string;
  email: string;
  problem?: SignInProblem;
  /** Origin that a completed sign-in returns to. */
  returnOrigin: string | undefined;
}

const statuses = { wrong: 400, passkey: 400, 'fill-in': 400, foreign: 403, busy: 503, wait: 429 } as const;

/** After an error the email is kept and the password field, described by the error, gets the focus. */
export function signInPage(options: SignInPageOptions): Page {
  const { language, t, action, email, problem, external } = options;
  // A refused passkey says nothing of what is in the fields.
  const described =
    problem && problem.kind !== 'passkey' ? html` aria-invalid="true" aria-describedby="problem"` : null;
  const first = html` autofocus`;
  const passwordForm = () => html`<form method="post" action="${action}">
<label for="email">${t('signin.email')}</label>
<input id="email" name="email" type="email" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${described}${email ? null : first}>
<label for="password">${t('signin.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required${described}${email ? first : null}>
<button type="submit">${t('signin.submit')}</button>
</form>
${options.passkey && passkeyForm(t, action, options.passkey)}
<p class="more"><a href="/change-password">${t('card.forgotten')}</a></p>`;
  return renderPage({
    status: problemStatus(problem),
    language,
    t,
    title: t('signin.title'),
    switchLanguage: `${action}?lng=${language === 'en' ? 'ja' : 'en'}`,
    formTargets: options.returnOrigin ? [options.returnOrigin] : [],
    retryAfterSeconds: problem?.kind === 'wait' ? Math.ceil(problem.milliseconds / 1000) : undefined,
    ...(options.passkey ? { script: passkeyScript } : {}),
    body: html`<p class="quiet">${t('signin.lead')}</p>
${problem && html`<p class="problem" id="problem" role="alert">${problemText(t, problem)}</p>`}
${options.passwords && passwordForm()}
${external && html`<p class="more"><a class="button second wide" href="${action}?external=start">${t('external.go', { provider: external })}</a></p>`}`,
  });
}

export function problemStatus(problem: SignInProblem | undefined): number {
  return problem ? statuses[problem.kind] : 200;
}

export function problemText(t: Translate, problem: SignInProblem): string {
  if (problem.kind === 'passkey') return t('factor.wrong-passkey');
  if (problem.kind !== 'wait') return t(`signin.${problem.kind}`);
  return formatWaitTime(t, problem.milliseconds);
}
