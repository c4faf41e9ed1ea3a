// Space administration, as the tests of every resource need it.
import type { Example } from './example.ts';

export const space: Example = {
  inputs: {
    space: (label) => ({ displayName: label, remarks: '' }),
    profile: (label) => ({ displayName: label }),
    'api-token': (label) => ({ displayName: label, roles: ['alerthub:viewer'] }),
  },
  lay: async () => ({}),
  powers: {
    'space:administrator': { show: ['space'], edit: ['space'] },
  },
  tables: ['api_token', 'person'],
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
  },
};
