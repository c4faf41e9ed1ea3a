// Form actions of the profile; each form posts its intent and gets that intent's result.
import { type ActionFunctionArgs, data, redirectDocument } from '@remix-run/node';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Translate } from '@yagura/core/i18n/translator';
import { mfa } from '@yagura/core/space/mfa';
import { passkey } from '@yagura/core/space/passkey';
import { profile } from '@yagura/core/space/profile';
import { signInSession } from '@yagura/core/space/sign-in-session';
import { preferencesOf } from '../preferences/preferences.server.ts';
import { toProblemResponse } from '../resource/write/write.server.ts';
import { type Api, withApi } from '../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../signin/same-origin.server.ts';
import type { SecurityResult } from './profile/security-result.ts';

type ProfileChange = (api: Api, form: FormData, t: Translate) => Promise<Omit<SecurityResult, 'intent'>>;

const formText = (form: FormData, name: string) => String(form.get(name) ?? '');

/** Returns the password or code that the user entered; empty if a recent sign-in is to count. */
export function readProof(form: FormData): { password?: string; code?: string } {
  const [password, code] = [formText(form, 'password'), formText(form, 'code')];
  return { ...(password ? { password } : {}), ...(code ? { code } : {}) };
}

const profileChanges: Record<string, ProfileChange> = {
  async 'mfa-prepare'(api, form) {
    const setup = await api.client(mfa).call<SecurityResult['setup']>('prepare', {
      body: readProof(form),
    });
    return { setup };
  },
  async 'mfa-on'(api, form) {
    const { recoveryCodes } = await api
      .client(mfa)
      .edit(undefined, { enabled: true, code: formText(form, 'code') });
    return { recoveryCodes };
  },
  async 'mfa-off'(api, form) {
    await api.client(mfa).edit(undefined, { enabled: false, ...readProof(form) });
    return {};
  },
  'recovery-codes': (api, form) =>
    api.client(mfa).call('regenerate-recovery-code', { body: readProof(form) }),
  async 'forget-browsers'(api) {
    await api.client(mfa).call('invalidate-remember-browser');
    return {};
  },
  async 'passkey-prepare'(api, form) {
    const options = await api.client(passkey).call<SecurityResult['options']>('prepare', {
      body: { displayName: formText(form, 'displayName'), ...readProof(form) },
    });
    return { options };
  },
  async 'passkey-register'(api, form) {
    await api.client(passkey).call('register', {
      body: { displayName: formText(form, 'displayName'), response: JSON.parse(formText(form, 'response')) },
    });
    return {};
  },
  async 'passkey-rename'(api, form) {
    await api.client(passkey).edit(formText(form, 'id'), { displayName: formText(form, 'displayName') });
    return {};
  },
  async 'passkey-remove'(api, form) {
    await api.client(passkey).call('remove', {
      id: formText(form, 'id'),
      body: readProof(form),
    });
    return {};
  },
  async 'session-end'(api, form) {
    await api.client(signInSession).call('end', { id: formText(form, 'id'), body: readProof(form) });
    return {};
  },
  async 'end-all'(api, form) {
    await api.client(signInSession).call('end-all', { body: readProof(form) });
    throw redirectDocument('/');
  },
  async 'change-password'(api, form, t) {
    const newPassword = formText(form, 'newPassword');
    if (formText(form, 'repeat') !== newPassword) throw invalidField('repeat', t('card.not-equal'));
    await api.client(profile).call('change-password', { body: { newPassword, ...readProof(form) } });
    throw redirectDocument('/');
  },
  async 'change-email'(api, form) {
    await api.client(profile).call('change-email', {
      body: { email: formText(form, 'email'), ...readProof(form) },
    });
    return {};
  },
};

/** Runs the change named by the intent; a rejection carries the intent too, so that its form shows it. */
export async function handleSecurityChange(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const intent = formText(form, 'intent');
  const change = profileChanges[intent];
  if (!change) throw data(new Problem('invalid').toJSON(), { status: 400 });
  const t = await loadTranslator(preferencesOf(args.request).language);
  return withApi(args, async (api) => {
    try {
      return data({ intent, ...(await change(api, form, t)) } as SecurityResult);
    } catch (error) {
      if (error instanceof Response) throw error;
      const refused = toProblemResponse(error, {});
      const { problem, errors } = refused.data;
      const shownErrors = Object.keys(errors).length > 0 ? errors : { '': problem.detail ?? problem.title };
      return data({ intent, errors: shownErrors } as SecurityResult, { status: problem.status ?? 400 });
    }
  });
}
