// A user's permissions and their sources, what is deleted with the user, and the privileged flag.
import { roleMap } from '@yagura/core/access/role-map';
import { resources } from '@yagura/core/all';
import { heldRoles, permissionGroupsOf } from '@yagura/core/space/permission-groups';
import { user, userAccess } from '@yagura/core/space/user';
import type { Identity } from '../../identity/identity.ts';
import { allRoles } from '../../identity/users/inherited-roles.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { announce } from '../../resource/item-operations.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { mayChangeUser, presentUser } from './user-behaviour.ts';

export interface UserAccessServices extends ResourceServices {
  contract: { maxUsers: number | null };
  identity: Identity;
}

interface GroupRow {
  userGroupId: string;
  displayName: string;
  roles: string[];
}

async function groupsOf({ services, spaceId, params }: RequestContext): Promise<GroupRow[]> {
  const { rows } = await services.database.query<GroupRow>(
    `select g.id as "userGroupId", g.body->>'displayName' as "displayName", g.body->'roles' as roles
     from user_group_member m join resource g on g.space_id = m.space_id and g.kind = 'user-group' and g.id = m.user_group_id
     where m.space_id = $1 and m.user_id = $2 order by 2, 1`,
    [spaceId, params.userId],
  );
  return rows;
}

async function setPrivileged(
  context: CallContext<UserAccessServices>,
  privileged: boolean,
): Promise<unknown> {
  await presentUser(context);
  const { userId } = context.params;
  const { identity } = context.services;
  await context.transaction((tx) => identity.updateUser(userId!, { privileged }, undefined, tx));
  identity.clearPrincipalCache();
  announce(context, user, userId!, 'update');
  return (await presentUser(context)).item;
}

export const userAccessBehaviour: Behaviour<typeof userAccess, UserAccessServices> = {
  resource: userAccess,
  calls: {
    promote: (context) => setPrivileged(context, true),
    demote: (context) => setPrivileged(context, false),
    async 'end-sessions'(context) {
      mayChangeUser(context, await presentUser(context));
      const { userId } = context.params;
      await context.services.identity.endSessions(userId!, context.transaction);
      announce(context, user, userId!, 'update');
    },
    async 'roles-from-user-groups'(context) {
      await presentUser(context);
      const items = heldRoles([], await groupsOf(context));
      return { roles: items.map(({ role }) => role), items };
    },
    async powers(context) {
      const { item } = await presentUser(context);
      const {
        privileged,
        disabled,
        roles: own,
      } = item as {
        privileged: boolean;
        disabled: boolean;
        roles: string[];
      };
      const groups = await groupsOf(context);
      const roles = allRoles(
        own,
        groups.flatMap((group) => group.roles),
      );
      const powers = permissionGroupsOf(resources, roleMap, { privileged, roles });
      return { privileged, disabled, roles: heldRoles(own, groups), powers };
    },
    async belongings(context) {
      await presentUser(context);
      const { database } = context.services;
      const who = [context.spaceId, context.params.userId];
      const [tokens, groups, sessions, destinations] = await Promise.all([
        database.query<{ name: string }>(
          'select display_name as name from api_token where space_id = $1 and user_id = $2 order by 1',
          who,
        ),
        groupsOf(context),
        database.query<{ count: number }>(
          `select count(*)::int as count from oidc_payload
           where space_id = $1 and model = 'Session' and payload->>'accountId' = $2::text`,
          who,
        ),
        database.query<{ count: number }>(
          `select count(*)::int as count from reference
           where space_id = $1 and to_kind = 'user' and to_id = $2 and from_kind = 'destination'`,
          who,
        ),
      ]);
      return {
        apiTokens: tokens.rows.map(({ name }) => name),
        userGroups: groups.map(({ displayName }) => displayName),
        sessions: sessions.rows[0]!.count,
        destinations: destinations.rows[0]!.count,
      };
    },
  },
};
