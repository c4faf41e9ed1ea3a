// People's sign-in, as the tests of every resource need it.
import type { Example } from './example.ts';

export const identity: Example = {
  inputs: {
    invitation: (label) => ({
      email: `${label.replace(/\W+/g, '-').toLowerCase()}@example.com`,
      roles: ['sonar:viewer'],
    }),
  },
  lay: async () => ({}),
  powers: {
    'space:administrator': {
      list: ['invitation'],
      create: ['invitation'],
      remove: ['invitation'],
      calls: ['invitation.resend'],
    },
  },
  tables: ['invitation', 'outgoing_mail'],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into invitation (invitation_id, space_id, email, language, token_hash, expires_at, created_at, updated_at)
       values ($1, $2, $3, 'en', '\\x02', $4, $4, $4)`,
      [ids.invitationId, spaceId, `${secret}@example.com`, now],
    );
    await database.query(
      `insert into outgoing_mail (mail_id, space_id, kind, recipient, subject, status, created_at, updated_at)
       values ($1, $2, 'invitation', 'other@example.com', $3, 'stored', $4, $4)`,
      [ids.mailId, spaceId, secret, now],
    );
  },
};
