// The maximum number of users.
import { maxUsers } from '@yagura/core/space/user';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { UserAccessServices } from './user-access-behaviour.ts';

export const maxUsersBehaviour: Behaviour<typeof maxUsers, UserAccessServices> = {
  resource: maxUsers,
  async show({ services, spaceId }) {
    const { rows } = await services.database.query<{ users: number }>(
      'select count(*)::int as users from person where space_id = $1',
      [spaceId],
    );
    const item = { maxUsers: services.contract.maxUsers, users: rows[0]!.users };
    return { version: `${item.maxUsers} ${item.users}`, item };
  },
};
