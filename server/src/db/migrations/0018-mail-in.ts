import type { Migration } from '../migrate.ts';

export const mailIn: Migration = {
  number: 18,
  name: 'mail-in',
  up: `
-- What a mail says, read as it came; null for what came by webhook. Its bytes are the body.
alter table message add column mail jsonb;
`,
};
