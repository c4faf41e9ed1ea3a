import type { Migration } from '../migrate.ts';

export const eventCause: Migration = {
  number: 54,
  name: 'event-cause',
  up: `
-- Who or what raised an event that no rule raised; null for older events.
alter table event add column cause jsonb;
`,
};
