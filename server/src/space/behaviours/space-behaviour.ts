// The space itself and the caller's profile and API tokens.

import { Problem } from '@yagura/core/http/problem';
import { apiToken } from '@yagura/core/space/api-token';
import { profile } from '@yagura/core/space/profile';
import { space } from '@yagura/core/space/space';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch, mapUniqueViolation } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface AccountServices extends ResourceServices {
  identity: Identity;
}

export const spaceBehaviour: Behaviour<typeof space> = {
  resource: space,
  show: loadSpace,
  async edit(context, input, ifMatch) {
    const { database, clock } = context.services;
    const before = await loadSpace(context);
    checkMatch(ifMatch, before.version);
    await database.query(
      'update space set display_name = $2, remarks = $3, updated_at = $4, version = version + 1 where space_id = $1',
      [context.spaceId, input.displayName, input.remarks, isoTime(clock.now())],
    );
    announce(context, space, context.spaceId, 'update');
    return loadSpace(context);
  },
};

async function loadSpace(context: RequestContext): Promise<StoredItem> {
  const { rows } = await context.services.database.query<Record<string, unknown>>(
    'select space_id, display_name, remarks, version, created_at, updated_at from space where space_id = $1',
    [context.spaceId],
  );
  const row = rows[0]!;
  return {
    version: String(row.version),
    item: {
      spaceId: row.space_id,
      displayName: row.display_name,
      remarks: row.remarks,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  };
}

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

export const apiTokenBehaviour: Behaviour<typeof apiToken, AccountServices> = {
  resource: apiToken,
  table: rowTable(apiToken, { from: 'api_token t', alias: 't', without: ['token'] }),
  async create(context, input) {
    const { row, token } = await mapUniqueViolation(context, () =>
      context.services.identity.createApiToken({
        principal: context.principal,
        language: context.language,
        displayName: input.displayName,
        roles: input.roles,
        expiresAt: input.expiresAt,
      }),
    );
    announce(context, apiToken, row.apiTokenId, 'create');
    return { ...row, token };
  },
  async remove(context) {
    const id = context.params.apiTokenId;
    const removed = isUuid(id) && (await context.services.identity.removeApiToken(id));
    if (!removed) throw new Problem('not-found', { detail: 'no API token has this id' });
    announce(context, apiToken, id, 'delete');
  },
};
