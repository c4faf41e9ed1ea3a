// People's sign-in, as the tests of every resource need it.
import type { Example } from './example.ts';

export const identity: Example = {
  inputs: {
    mfa: () => ({ enabled: false, password: 'Wrong-horse-7' }),
    passkey: (label) => ({ displayName: label }),
    invitation: (label) => ({
      email: `${label.replace(/\W+/g, '-').toLowerCase()}@example.com`,
      roles: ['space:administrator'],
    }),
  },
  seed: async () => ({}),
  ownTest: {
    'mfa.edit': 'needs the code of an authenticator app',
    'passkey.list': 'a passkey is made by a browser',
    'passkey.edit': 'a passkey is made by a browser',
    'sign-in-session.list': 'a sign-in is made by a browser',
  },
  permissions: {
    'space:administrator': {
      list: ['invitation'],
      create: ['invitation'],
      remove: ['invitation'],
      calls: ['invitation.resend'],
    },
  },
  tables: ['invitation', 'outgoing_mail', 'passkey', 'sign_in_session', 'audit_record'],
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
    await database.query(
      `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
       values ($1, $2, $3, $4, $4, '\\x03', 0, false, $5, $5)`,
      [ids.passkeyId, spaceId, ids.userId, secret.slice(0, 30), now],
    );
    await database.query(
      `insert into sign_in_session (space_id, grant_id, sign_in_session_id, user_id, client, address, user_agent, created_at)
       values ($1, 'grant', $2, $3, 'web', '192.0.2.1', $4, $5)`,
      [spaceId, ids.signInSessionId, ids.userId, secret, now],
    );
    await database.query(
      `insert into audit_record (audit_record_id, space_id, number, at, actor_kind, actor_name, address, user_agent, action, outcome, resource, hash)
       values ($1, $2, 1, $3, 'server', $4, '', '', 'edit', 'done', 'space', '\\x00')`,
      [ids.auditRecordId, spaceId, now, secret],
    );
  },
};
