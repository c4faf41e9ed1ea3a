// Space administration and the contract, as the tests of every resource need them.
import { send } from '@yagura/core/http/transport';
import type { Body, Example } from './example.ts';

export const space: Example = {
  inputs: {
    space: (label) => ({ displayName: label, remarks: '' }),
    profile: (label) => ({ displayName: label }),
    'api-token': (label) => ({ displayName: label, roles: ['alerthub:viewer'] }),
    user: (label) => ({
      displayName: label,
      email: `${label.replace(/\W+/g, '-').toLowerCase()}@users.example.com`,
      roles: ['alerthub:viewer'],
    }),
    'user-group': (label) => ({ displayName: label, remarks: '', roles: ['space:administrator'] }),
  },
  async seed(server, label, pathParams) {
    const transport = server.as('privileged');
    const post = async (path: string, body: Body) =>
      (await send<Body>(transport, { method: 'POST', path, body })).data;
    const user = await post('/api/space/users', space.inputs.user!(label, pathParams));
    const group = await post('/api/space/user-groups', space.inputs['user-group']!(label, pathParams));
    const userId = user.userId as string;
    await post(`/api/space/user-groups/${group.userGroupId}/add-users`, { userIds: [userId] });
    return {
      userId,
      userGroupId: group.userGroupId as string,
      pricePlanId: 'open',
      ticketId: 'ipRestriction202507',
    };
  },
  permissions: {
    'space:administrator': {
      list: ['user', 'user-group'],
      show: ['space', 'user', 'user-group'],
      create: ['user-group'],
      edit: ['space', 'user', 'user-group'],
      remove: ['user', 'user-group'],
      calls: ['user', 'user-group'],
    },
  },
  // The other calls of this app are internal: they are tested with their own behaviour.
  everybody: { list: ['subscription'], show: ['price-plan', 'ticket'] },
  ownTest: { 'subscription.list': 'a space has one subscription or none' },
  tables: ['api_token', 'person', 'user_group_member', 'ip_restriction'],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into person (user_id, space_id, email, display_name, privileged, roles, disabled, created_at, updated_at)
       values ($1, $2, 'other@example.com', $4, true, '{}', false, $3, $3)`,
      [ids.userId, spaceId, now, secret],
    );
    await database.query(
      `insert into api_token (api_token_id, space_id, user_id, display_name, token_hash, created_at, updated_at) values ($1, $2, $3, $5, '\\x01', $4, $4)`,
      [ids.apiTokenId, spaceId, ids.userId, now, secret],
    );
    await database.query(
      'insert into user_group_member (space_id, user_group_id, user_id, joined_at) values ($1, $2, $3, $4)',
      [spaceId, ids.userGroupId, ids.userId, now],
    );
  },
};
