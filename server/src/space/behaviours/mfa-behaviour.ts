// Two-step verification of the caller.
import { mfa } from '@yagura/core/space/mfa';
import type { Queryable } from '../../db/database.ts';
import type { MailOutbox } from '../../delivery/mail-outbox/mail-outbox.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Proof } from '../../identity/sign-in/reauthentication.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface SignInServices extends ResourceServices {
  identity: Identity;
  mail: MailOutbox;
}

export const mfaBehaviour: Behaviour<typeof mfa, SignInServices> = {
  resource: mfa,
  show: (context) => showMfa(context.services.database, context),
  async beforeEdit(context, input, ifMatch) {
    const { database, identity } = context.services;
    checkMatch(ifMatch, (await showMfa(database, context)).version);
    if (!input.enabled) await identity.reauthenticate(context.principal, input, context.t, { factors: true });
  },
  async edit(tx, context, input, ifMatch) {
    const { identity, mail } = context.services;
    const { language, t } = context;
    const { userId } = context.principal;
    const before = await showMfa(tx, context);
    // A re-authentication uses up codes and proofs, so the version was checked before it.
    if (input.enabled) checkMatch(ifMatch, before.version);
    const recoveryCodes = input.enabled
      ? await identity.totp.enable(userId, String(input.code ?? ''), t('factor.wrong-code'), tx)
      : undefined;
    const isChanged = input.enabled || (await identity.totp.disable(userId, tx));
    if (isChanged)
      await identity.notifySecurityChange(userId, input.enabled ? 'mfa-on' : 'mfa-off', language, {}, tx);
    const after = await showMfa(tx, context);
    return {
      before: before.item,
      after: recoveryCodes ? { ...after, item: { ...after.item, recoveryCodes } } : after,
      onCommitted() {
        if (!isChanged) return;
        mail.wake();
        announce(context, mfa, userId, 'update');
      },
    };
  },
  calls: {
    async prepare(context, body) {
      const { identity } = context.services;
      const { userId, email } = context.principal;
      await identity.reauthenticate(context.principal, body as Proof, context.t);
      return identity.totp.prepare(userId, email);
    },
    async 'regenerate-recovery-code'(context, body) {
      const { identity, mail } = context.services;
      const { userId } = context.principal;
      await identity.reauthenticate(context.principal, body as Proof, context.t, { factors: true });
      const recoveryCodes = await context.transaction(async (tx) => {
        await identity.notifySecurityChange(userId, 'recovery-codes', context.language, {}, tx);
        return identity.totp.regenerate(userId, tx);
      });
      mail.wake();
      announce(context, mfa, userId, 'update');
      return { recoveryCodes };
    },
    async 'invalidate-remember-browser'(context) {
      const { identity } = context.services;
      await context.transaction((tx) => identity.totp.forgetBrowsers(context.principal.userId, tx));
      announce(context, mfa, context.principal.userId, 'update');
    },
  },
};

async function showMfa(db: Queryable, context: RequestContext<SignInServices>): Promise<StoredItem> {
  const { userId, grantId } = context.principal;
  const { identity } = context.services;
  const [state, person, proof] = await Promise.all([
    identity.totp.state(userId, db),
    identity.findUser(userId, db),
    grantId === undefined ? null : identity.signInSessions.proof(userId, grantId, db),
  ]);
  const hasPassword = person?.hasPassword ?? false;
  const proved = { provedUntil: proof?.until ?? null, provedBySecondStep: proof?.strong ?? false };
  return { version: JSON.stringify(state), item: { userId, ...state, hasPassword, ...proved } };
}
