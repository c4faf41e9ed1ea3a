// The profile of the current user.
import { Problem } from '@yagura/core/http/problem';
import { profile } from '@yagura/core/space/profile';
import { lockSpace } from '../../audit/lock-space.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { AccountServices } from './space-behaviour.ts';

export const profileBehaviour: Behaviour<typeof profile, AccountServices> = {
  resource: profile,
  show: (context) => loadProfile(context.services.database, context),
  lock: (tx, { spaceId }) => lockSpace(tx, spaceId),
  async edit(tx, context, input, ifMatch) {
    const { identity } = context.services;
    const { userId } = context.principal;
    const before = await loadProfile(tx, context);
    checkMatch(ifMatch, before.version);
    await identity.updateUser(userId, { displayName: input.displayName }, undefined, tx);
    return {
      before: before.item,
      after: await loadProfile(tx, context),
      onCommitted() {
        identity.clearPrincipalCache();
        announce(context, profile, userId, 'update');
      },
    };
  },
  calls: {
    async 'change-email'(context, body) {
      const { email, ...proof } = body;
      const { language, principal, t } = context;
      const { identity } = context.services;
      await identity.reauthenticate(principal, proof, t);
      await identity.requestEmailChange(principal.userId, { email, language }, context.transaction);
    },
    async 'change-password'(context, body) {
      const { newPassword, ...proof } = body;
      const { language, principal, t } = context;
      const { identity } = context.services;
      const change = { password: newPassword, language };
      // Checked first, since a re-authentication uses up codes and proofs.
      await identity.checkOwnPassword(principal.userId, change);
      await identity.reauthenticate(principal, proof, t, { factors: true });
      await identity.changeOwnPassword(principal.userId, change, context.transaction);
      announce(context, profile, principal.userId, 'update');
    },
  },
};

async function loadProfile(db: Queryable, context: RequestContext<AccountServices>): Promise<StoredItem> {
  const person = await context.services.identity.findUser(context.principal.userId, db);
  if (!person) throw new Problem('not-found');
  const { userId, email, displayName, privileged, createdAt, updatedAt } = person;
  // Permissions follow from all roles, including those of the user's groups.
  const roles = [...context.principal.claims.roles];
  return {
    version: updatedAt,
    item: { userId, email, displayName, privileged, roles, createdAt, updatedAt },
  };
}
