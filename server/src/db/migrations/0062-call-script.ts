import type { Migration } from '../migrate.ts';

export const callScript: Migration = {
  number: 62,
  name: 'call-script',
  up: `
-- What happened in the call, in order: a list of call events.
alter table pigeon_call add column script jsonb not null default '[]';
`,
};
