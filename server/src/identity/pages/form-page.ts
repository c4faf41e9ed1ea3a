// Account page with one form: fields, errors and a link.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { html } from './html.ts';
import { type Page, renderPage } from './page.ts';

export interface FormField {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  value?: string;
  hint?: string;
  /** Validation error of the value. */
  error?: string | undefined;
  maxLength: number;
  /** Shows the numeric keypad on phones. */
  numeric?: boolean;
}

export interface FormPageOptions {
  language: Language;
  t: Translate;
  title: string;
  lead?: string | undefined;
  /** Path of the page, used as the form action. */
  action: string;
  fields: readonly FormField[];
  submit: string;
  /** Error that concerns the whole form. */
  problem?: string | undefined;
  status?: number;
  retryAfterSeconds?: number | undefined;
  links?: readonly { href: string; text: string }[];
}

/** Focuses the first invalid field, otherwise the first empty one. */
export function formPage(options: FormPageOptions): Page {
  const { language, t, title, lead, action, fields, submit, problem, links = [] } = options;
  const focus = fields.find((field) => field.error) ?? fields.find((field) => !field.value) ?? fields[0];
  const refused = problem !== undefined || fields.some((field) => field.error);
  return renderPage({
    status: options.status ?? (refused ? 400 : 200),
    language,
    t,
    title,
    switchLanguage: `${action}?lng=${language === 'en' ? 'ja' : 'en'}`,
    retryAfterSeconds: options.retryAfterSeconds,
    body: html`${lead && html`<p class="quiet">${lead}</p>`}
${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<form method="post" action="${action}">
${fields.map((field) => renderInput(field, field === focus))}
<button type="submit">${submit}</button>
</form>
${links.map(({ href, text }) => html`<p class="more"><a href="${href}">${text}</a></p>`)}`,
  });
}

function renderInput(field: FormField, focused: boolean) {
  const { name, label, type, autocomplete, value, hint, error, maxLength, numeric } = field;
  const described = [hint && `${name}-hint`, error && `${name}-fault`].filter(Boolean).join(' ');
  return html`<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="fault" id="${name}-fault" role="alert">${error}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}" required${type === 'email' && html` inputmode="email" autocapitalize="none" spellcheck="false"`}${numeric && html` inputmode="numeric" autocapitalize="none" spellcheck="false"`}${value && html` value="${value}"`}${error && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}${focused && html` autofocus`}>
`;
}
