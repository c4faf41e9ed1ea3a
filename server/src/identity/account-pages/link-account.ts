// Account page that links an external provider's account to a user after proving ownership of both.
import { linkAccount as link } from '../external/resolve-account.ts';
import type { FormField } from '../pages/form-page.ts';
import { formatWaitTime } from '../pages/format-wait-time.ts';
import type { Attempt } from '../sign-in/attempt-limit.ts';
import { verifyPassword } from '../users/password.ts';
import type { AccountPageHandler } from './account-page-handler.ts';

export const linkAccount: AccountPageHandler = async ({ deps, accountPage, form, context, address, req }) => {
  const { t } = accountPage;
  if (accountPage.token === '')
    return {
      page: accountPage.notice({
        status: 200,
        messageKey: 'card.link-request',
        link: { href: '/', text: t('card.to-sign-in') },
      }),
    };
  const found = await deps.tokens.peek('link-account', accountPage.token);
  if (found.state !== 'good') return { page: accountPage.invalidLink(found.state), done: true };
  const { userId, data } = found;
  const person = await deps.users.findUser(userId);
  if (!person || person.disabled) return { page: accountPage.invalidLink('unknown'), done: true };
  const secondStep = await deps.totp.isEnabled(userId);
  const renderForm = (faults: { password?: string; code?: string }, wait?: number) => ({
    page: accountPage.form({
      title: t('card.link-title'),
      lead: t('card.link-lead', { account: data.account ?? '', email: person.email }),
      problem: wait === undefined ? undefined : formatWaitTime(t, wait),
      ...(wait === undefined ? {} : { status: 429, retryAfterSeconds: Math.ceil(wait / 1000) }),
      fields: [
        passwordField(t('signin.password'), faults.password),
        ...(secondStep ? [codeField(t('factor.code'), t('factor.code-hint'), faults.code)] : []),
      ],
      submit: t('card.link-submit'),
    }),
  });
  if (!form) return renderForm({});
  const device = await deps.devices.findForUser(req, userId);
  const attempt = await deps.limit.begin({ purpose: 'password', account: person.email, address, device });
  if (attempt.wait > 0) return renderForm({}, attempt.wait);
  const refused = ({ waitAfterFailure }: Attempt, faults: { password?: string; code?: string }) =>
    waitAfterFailure > 0 ? renderForm({}, waitAfterFailure) : renderForm(faults);
  const { rows } = await context.database.query<{ hash: string | null }>(
    'select password_hash as hash from person where space_id = $1 and user_id = $2',
    [context.spaceId, userId],
  );
  const password = form.get('password') ?? '';
  const fits = password.length <= 1024 && (await verifyPassword(rows[0]?.hash ?? null, password));
  if (!fits) {
    deps.signInLog.failed(req, 'password', null, person.email);
    return refused(attempt, { password: t('card.wrong-password') });
  }
  await attempt.succeeded();
  if (secondStep) {
    const known = await deps.devices.findForUser(req, userId, { secondStep: true });
    const step = await deps.limit.begin({ purpose: 'second-step', account: userId, address, device: known });
    if (step.wait > 0) return renderForm({}, step.wait);
    if (!(await deps.totp.check(userId, form.get('code') ?? ''))) {
      deps.signInLog.failed(req, 'code', userId);
      return refused(step, { code: t('factor.wrong-code') });
    }
    await step.succeeded();
  }
  const linked = await context.database.transaction(async (tx) => {
    const used = await deps.tokens.redeem(tx, 'link-account', accountPage.token);
    if (!used) return false;
    await link(context, tx, { issuer: data.issuer!, subject: data.subject!, userId });
    return true;
  });
  if (!linked) return { page: accountPage.invalidLink('used'), done: true };
  await deps.notifySecurityChange(userId, 'account-linked', accountPage.language, {
    account: data.account ?? '',
  });
  context.log({ level: 'info', message: 'Account linked', userId });
  return {
    page: accountPage.notice({
      status: 200,
      messageKey: 'card.link-done',
      params: { account: data.account ?? '' },
      link: { href: data.back ?? '/', text: t('card.link-go-on') },
    }),
    done: true,
    actor: { kind: 'person', userId, name: person.displayName },
  };
};

function passwordField(label: string, error: string | undefined): FormField {
  return {
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'current-password',
    error,
    maxLength: 256,
  };
}

function codeField(label: string, hint: string, error: string | undefined): FormField {
  return { name: 'code', label, hint, type: 'text', autocomplete: 'one-time-code', error, maxLength: 32 };
}
