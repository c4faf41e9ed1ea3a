// What the forms of the profile do: each names its intent and gets the outcome of that intent back.
import { type ActionFunctionArgs, data, redirectDocument } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { mfa } from '@yagura/core/space/mfa';
import { passkey } from '@yagura/core/space/passkey';
import { profile } from '@yagura/core/space/profile';
import { signInSession } from '@yagura/core/space/sign-in-session';
import { refuse } from '../resource/write.server.ts';
import { type Api, withApi } from '../signin/api.server.ts';
import { refuseForeign } from '../signin/same-origin.server.ts';
import type { SecurityDone } from './profile/security-reply.ts';

type Change = (api: Api, form: FormData) => Promise<Omit<SecurityDone, 'intent'>>;

const textOf = (form: FormData, name: string) => String(form.get(name) ?? '');

/** What the person has shown; nothing when a sign-in made anew is to count. */
export function proofOf(form: FormData): { password?: string; code?: string } {
  const [password, code] = [textOf(form, 'password'), textOf(form, 'code')];
  return { ...(password ? { password } : {}), ...(code ? { code } : {}) };
}

const changes: Record<string, Change> = {
  async 'mfa-prepare'(api, form) {
    const setup = await api.client(mfa).call<SecurityDone['setup']>('prepare', {
      body: proofOf(form),
    });
    return { setup };
  },
  async 'mfa-on'(api, form) {
    const { recoveryCodes } = await api
      .client(mfa)
      .edit(undefined, { enabled: true, code: textOf(form, 'code') });
    return { recoveryCodes };
  },
  async 'mfa-off'(api, form) {
    await api.client(mfa).edit(undefined, { enabled: false, ...proofOf(form) });
    return {};
  },
  'recovery-codes': (api, form) => api.client(mfa).call('regenerate-recovery-code', { body: proofOf(form) }),
  async 'forget-browsers'(api) {
    await api.client(mfa).call('invalidate-remember-browser');
    return {};
  },
  async 'passkey-prepare'(api, form) {
    const options = await api.client(passkey).call<SecurityDone['options']>('prepare', {
      body: proofOf(form),
    });
    return { options };
  },
  async 'passkey-register'(api, form) {
    await api.client(passkey).call('register', {
      body: { displayName: textOf(form, 'displayName'), response: JSON.parse(textOf(form, 'response')) },
    });
    return {};
  },
  async 'passkey-remove'(api, form) {
    await api.client(passkey).call('remove', {
      id: textOf(form, 'id'),
      body: proofOf(form),
    });
    return {};
  },
  async 'session-end'(api, form) {
    await api.client(signInSession).call('end', { id: textOf(form, 'id'), body: proofOf(form) });
    return {};
  },
  async 'end-all'(api, form) {
    await api.client(signInSession).call('end-all', { body: proofOf(form) });
    throw redirectDocument('/');
  },
  async 'change-email'(api, form) {
    await api.client(profile).call('change-email', {
      body: { email: textOf(form, 'email'), ...proofOf(form) },
    });
    return {};
  },
};

/** Runs the change that the form names; a refusal carries the intent too, so that its form shows it. */
export async function changeSecurity(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const form = await args.request.formData();
  const intent = textOf(form, 'intent');
  const change = changes[intent];
  if (!change) throw data(new Problem('invalid').toJSON(), { status: 400 });
  return withApi(args, async (api) => {
    try {
      return data({ intent, ...(await change(api, form)) } as SecurityDone);
    } catch (error) {
      if (error instanceof Response) throw error;
      const refused = refuse(error, {});
      const { problem, errors } = refused.data;
      const told = Object.keys(errors).length > 0 ? errors : { '': problem.detail ?? problem.title };
      return data({ intent, errors: told } as SecurityDone, { status: problem.status ?? 400 });
    }
  });
}
