// User groups: rows of `resource` plus their members; changing either changes the members' permissions.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { user } from '@yagura/core/space/user';
import { maxMembers, userGroup } from '@yagura/core/space/user-group';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { findItem, lockItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { bodyTable, rowTable } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { assertMayChangeRoles, assertMayGrant } from '../check-role-grants.ts';

const membersOf =
  'select 1 from user_group_member m where m.space_id = r.space_id and m.user_group_id = r.id';

export const userGroupTable = bodyTable(userGroup, {
  select: `array(select m.user_id::text from user_group_member m
    where m.space_id = r.space_id and m.user_group_id = r.id order by m.joined_at, m.user_id) as members`,
  columns: {
    numberOfMembers: { sql: `(select count(*) from (${membersOf}) of_group)`, type: 'number' },
  },
  item: (row) => {
    const members = row.members as string[];
    return { members, numberOfMembers: members.length };
  },
});

const memberTable = rowTable(user, { from: 'person p', alias: 'p', without: ['pendingEmail'] });

async function presentGroup(context: RequestContext) {
  const { database } = context.services;
  const id = context.params.userGroupId ?? '';
  const found = await findItem(database, context, userGroup, userGroupTable, id);
  if (!found) throw itemNotFound(context, userGroup);
  return found;
}

type Change = (tx: Parameters<typeof lockItem>[0], groupId: string) => Promise<void>;

/** Changes members while holding the group's lock. */
async function changeMembers(context: CallContext, change: Change): Promise<unknown> {
  const id = context.params.userGroupId ?? '';
  await context.transaction(async (tx) => {
    const group = await lockItem(tx, context, userGroup, id);
    if (!group) throw itemNotFound(context, userGroup);
    // Joining a group grants its roles, leaving it removes them.
    assertMayGrant(context, group.body.roles as string[], 'userIds');
    await change(tx, id);
  });
  announce(context, userGroup, id, 'update');
  return (await presentGroup(context)).item;
}

export const userGroupBehaviour: Behaviour<typeof userGroup> = {
  resource: userGroup,
  table: userGroupTable,
  body(context, input, before) {
    const roles = [...new Set(input.roles)];
    assertMayChangeRoles(context, (before?.roles ?? []) as string[], roles);
    return { ...input, roles };
  },
  async afterRemove(tx, context, id, body) {
    assertMayGrant(context, body.roles as string[]);
    await tx.query('delete from user_group_member where space_id = $1 and user_group_id = $2', [
      context.spaceId,
      id,
    ]);
  },
  calls: {
    async users(context) {
      await presentGroup(context);
      const id = context.params.userGroupId!;
      if (!isUuid(id)) throw new Problem('not-found');
      const table = {
        ...memberTable,
        where: `${memberTable.where} and p.user_id in (select user_id from user_group_member where user_group_id = '${id}')`,
      };
      const page = await listItems(context, user, table, readListQuery(user, context.query, context.t));
      return {
        ...page,
        items: page.items.map(({ userId, displayName, email }) => ({ userId, displayName, email })),
      };
    },
    'add-users': (context, body) => {
      const { userIds } = body;
      return changeMembers(context, async (tx, groupId) => {
        const { rows } = await tx.query<{ userId: string }>(
          `select user_id as "userId" from person where space_id = $1 and user_id = any($2::uuid[]) for key share`,
          [context.spaceId, userIds],
        );
        const known = new Set(rows.map(({ userId }) => userId));
        const missing = userIds.findIndex((userId) => !known.has(userId.toLowerCase()));
        if (missing >= 0) throw invalidField(`userIds.${missing}`, context.t('rule.reference'));
        await tx.query(
          `insert into user_group_member (space_id, user_group_id, user_id, joined_at)
           select $1, $2, id, $4 from unnest($3::uuid[]) as id on conflict do nothing`,
          [context.spaceId, groupId, [...known], isoTime(context.services.clock.now())],
        );
        const { rows: counted } = await tx.query<{ count: number }>(
          'select count(*)::int as count from user_group_member where user_group_id = $1',
          [groupId],
        );
        if (counted[0]!.count > maxMembers)
          throw invalidField('userIds', context.t('rule.maxSize', { count: maxMembers }));
      });
    },
    'delete-users': (context, body) => {
      const { userIds } = body;
      return changeMembers(context, async (tx, groupId) => {
        await tx.query(
          'delete from user_group_member where space_id = $1 and user_group_id = $2 and user_id = any($3::uuid[])',
          [context.spaceId, groupId, userIds],
        );
      });
    },
  },
};
