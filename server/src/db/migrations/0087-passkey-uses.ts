import type { Migration } from '../migrate.ts';

export const passkeyUses: Migration = {
  number: 87,
  name: 'passkey-uses',
  up: `
-- The last few sign-ins with the passkey, in the order in which they arrived: the challenge that was signed, its counter,
-- the highest counter before, and the time in milliseconds.
alter table passkey add column recent_uses jsonb not null default '[]';
`,
};
