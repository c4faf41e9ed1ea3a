// API tokens.
import { Problem } from '@yagura/core/http/problem';
import { apiToken } from '@yagura/core/space/api-token';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { AccountServices } from './space-behaviour.ts';

export const apiTokenBehaviour: Behaviour<typeof apiToken, AccountServices> = {
  resource: apiToken,
  table: rowTable(apiToken, {
    from: 'api_token t join person p on p.space_id = t.space_id and p.user_id = t.user_id',
    alias: 't',
    without: ['token', 'owner'],
    select: 'p.display_name as owner_name',
    item: (row) => ({ owner: row.owner_name }),
  }),
  async create(tx, context, input) {
    const { row, token } = await context.services.identity.createApiToken(
      {
        principal: context.principal,
        language: context.language,
        displayName: input.displayName,
        roles: input.roles,
        expiresAt: input.expiresAt,
      },
      tx,
    );
    return {
      item: { ...row, owner: context.principal.displayName, token },
      onCommitted: () => announce(context, apiToken, row.apiTokenId, 'create'),
    };
  },
  async remove(tx, context) {
    const { identity } = context.services;
    const id = context.params.apiTokenId;
    const removed = isUuid(id) && (await identity.removeApiToken(id, tx));
    if (!removed) throw itemNotFound(context, apiToken);
    return () => {
      identity.clearPrincipalCache();
      announce(context, apiToken, id, 'delete');
    };
  },
};

/** What the API token of the request grants. */
export async function showCurrentApiToken({ principal, services, spaceId, t }: RequestContext) {
  const { rows } = await services.database.query<{ displayName: string; expiresAt: string | null }>(
    `select display_name as "displayName", expires_at as "expiresAt" from api_token
     where space_id = $1 and api_token_id = $2`,
    [spaceId, principal.apiTokenId ?? null],
  );
  if (!rows[0]) throw new Problem('not-found', { detail: t('refusal.no-api-token') });
  const { privileged, roles } = principal.claims;
  return { apiTokenId: principal.apiTokenId, ...rows[0], privileged, roles: [...roles] };
}
