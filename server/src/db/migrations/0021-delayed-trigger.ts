import type { Migration } from '../migrate.ts';

export const delayedTrigger: Migration = {
  number: 21,
  name: 'delayed-trigger',
  up: `
-- The conditions that are asked some seconds after the event, as they were when it happened.
alter table waiting_trigger add column asks jsonb not null default '[]';
`,
};
