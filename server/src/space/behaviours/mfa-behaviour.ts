// Two-step verification of the caller.
import { mfa } from '@yagura/core/space/mfa';
import type { Identity } from '../../identity/identity.ts';
import type { Proof } from '../../identity/sign-in/reauthentication.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface SignInServices extends ResourceServices {
  identity: Identity;
}

export const mfaBehaviour: Behaviour<typeof mfa, SignInServices> = {
  resource: mfa,
  show: showMfa,
  async edit(context, input, ifMatch) {
    const { identity } = context.services;
    const { userId } = context.principal;
    const before = await showMfa(context);
    checkMatch(ifMatch, before.version);
    if (input.enabled) {
      const codes = await identity.totp.enable(
        userId,
        String(input.code ?? ''),
        context.t('factor.wrong-code'),
      );
      await identity.notifySecurityChange(userId, 'mfa-on', context.language);
      announce(context, mfa, userId, 'update');
      const after = await showMfa(context);
      return { ...after, item: { ...after.item, recoveryCodes: codes } };
    }
    await identity.reauthenticate(context.principal, input, context.t, { factors: true });
    if (await identity.totp.disable(userId)) {
      await identity.notifySecurityChange(userId, 'mfa-off', context.language);
      announce(context, mfa, userId, 'update');
    }
    return showMfa(context);
  },
  calls: {
    async prepare(context, body) {
      const { identity } = context.services;
      const { userId, email } = context.principal;
      await identity.reauthenticate(context.principal, body as Proof, context.t);
      return identity.totp.prepare(userId, email);
    },
    async 'regenerate-recovery-code'(context, body) {
      const { identity } = context.services;
      const { userId } = context.principal;
      await identity.reauthenticate(context.principal, body as Proof, context.t, { factors: true });
      const recoveryCodes = await identity.totp.regenerate(userId);
      await identity.notifySecurityChange(userId, 'recovery-codes', context.language);
      announce(context, mfa, userId, 'update');
      return { recoveryCodes };
    },
    async 'invalidate-remember-browser'(context) {
      await context.services.identity.totp.forgetBrowsers(context.principal.userId);
      announce(context, mfa, context.principal.userId, 'update');
    },
  },
};

async function showMfa(context: RequestContext<SignInServices>): Promise<StoredItem> {
  const { userId, grantId } = context.principal;
  const { identity } = context.services;
  const [state, person, proof] = await Promise.all([
    identity.totp.state(userId),
    identity.findUser(userId),
    grantId === undefined ? null : identity.signInSessions.proof(userId, grantId),
  ]);
  const hasPassword = person?.hasPassword ?? false;
  const proved = { provedUntil: proof?.until ?? null, provedBySecondStep: proof?.strong ?? false };
  return { version: JSON.stringify(state), item: { userId, ...state, hasPassword, ...proved } };
}
