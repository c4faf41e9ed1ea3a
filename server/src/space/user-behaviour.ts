// Users: listed and changed by those who may, never beyond their own standing.
import { Problem } from '@yagura/core/http/problem';
import { user } from '@yagura/core/space/user';
import { userGroup } from '@yagura/core/space/user-group';
import { isUuid } from '../id.ts';
import type { PersonInput } from '../identity/person.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { Context } from '../resource/context.ts';
import { readListQuery } from '../resource/list-query.ts';
import { announce, checkMatch } from '../resource/serve.ts';
import { findItem, listItems, type Stored, writtenItem } from '../resource/store.ts';
import { rowTable, type Table } from '../resource/table.ts';
import { userGroupTable } from './user-group-behaviour.ts';

export const userTable = rowTable(user, { from: 'person p', alias: 'p' });

/** The user of the path. Throws 404. */
export async function shownUser(context: Context): Promise<Stored> {
  const found = await findItem(
    context.services.database,
    context,
    user,
    userTable,
    context.place.userId ?? '',
  );
  if (!found) throw new Problem('not-found', { detail: 'no user has this id' });
  return found;
}

/** A privileged user is changed and deleted by the privileged alone: otherwise a new address could take their place. */
export function mayTouch({ principal }: Context, { item }: Stored): void {
  if (!item.privileged || principal.claims.privileged) return;
  throw new Problem('forbidden', { detail: 'a privileged user is changed by privileged users only' });
}

function inputOf(input: Record<string, unknown>): PersonInput {
  const { displayName, email, roles, disabled } = input as unknown as PersonInput;
  return { displayName, email, roles: [...new Set(roles)], disabled };
}

export const userBehaviour: Behaviour = {
  resource: user,
  table: userTable,
  async create(context, input) {
    const { identity, database } = context.services;
    const { userId } = await identity.createPerson(inputOf(input));
    announce(context, user, userId, 'create');
    return (await writtenItem(database, context, user, userTable, userId)).item;
  },
  async edit(context, input, ifMatch) {
    const before = await shownUser(context);
    checkMatch(ifMatch, before.version);
    mayTouch(context, before);
    const { userId } = context.place;
    if (input.disabled && userId === context.principal.userId)
      throw new Problem('conflict', { detail: context.t('users.not-yourself') });
    await context.services.identity.updatePerson(userId!, inputOf(input));
    announce(context, user, userId!, 'update');
    return shownUser(context);
  },
  async remove(context, ifMatch) {
    const before = await shownUser(context);
    checkMatch(ifMatch, before.version);
    mayTouch(context, before);
    const { userId } = context.place;
    if (userId === context.principal.userId)
      throw new Problem('conflict', { detail: context.t('users.not-yourself') });
    if (!(await context.services.identity.removePerson(userId!)))
      throw new Problem('not-found', { detail: 'no user has this id' });
    announce(context, user, userId!, 'delete');
  },
  calls: {
    async 'user-groups'(context) {
      await shownUser(context);
      const request = readListQuery(userGroup, context.query, context.t);
      return listItems(context, userGroup, groupsOf(context.place.userId!), request);
    },
  },
};

function groupsOf(userId: string): Table {
  if (!isUuid(userId)) throw new Problem('not-found');
  return {
    ...userGroupTable,
    where: `${userGroupTable.where} and r.id in (select user_group_id from user_group_member where user_id = '${userId}')`,
  };
}
