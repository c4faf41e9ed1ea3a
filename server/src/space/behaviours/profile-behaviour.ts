// The profile of the current user.
import { Problem } from '@yagura/core/http/problem';
import { profile } from '@yagura/core/space/profile';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { AccountServices } from './space-behaviour.ts';

export const profileBehaviour: Behaviour<typeof profile, AccountServices> = {
  resource: profile,
  show: loadProfile,
  async edit(context, input, ifMatch) {
    checkMatch(ifMatch, (await loadProfile(context)).version);
    await context.services.identity.updateUser(context.principal.userId, {
      displayName: input.displayName,
    });
    announce(context, profile, context.principal.userId, 'update');
    return loadProfile(context);
  },
  calls: {
    async 'change-email'(context, body) {
      const { email, ...proof } = body;
      const { language, principal, t } = context;
      const { identity } = context.services;
      await identity.reauthenticate(principal, proof, t);
      await identity.requestEmailChange(principal.userId, { email, language });
    },
  },
};

async function loadProfile(context: RequestContext<AccountServices>): Promise<StoredItem> {
  const person = await context.services.identity.findUser(context.principal.userId);
  if (!person) throw new Problem('not-found');
  const { userId, email, displayName, privileged, createdAt, updatedAt } = person;
  // Permissions follow from all roles, including those of the user's groups.
  const roles = [...context.principal.claims.roles];
  return {
    version: updatedAt,
    item: { userId, email, displayName, privileged, roles, createdAt, updatedAt },
  };
}
