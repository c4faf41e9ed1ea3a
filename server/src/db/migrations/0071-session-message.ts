import type { Migration } from '../migrate.ts';

export const sessionMessage: Migration = {
  number: 71,
  name: 'session message',
  up: `
-- The message that the session was opened for; it may have been deleted since.
alter table greac_session add column message_id uuid;
`,
};
