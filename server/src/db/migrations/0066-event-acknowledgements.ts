import type { Migration } from '../migrate.ts';

export const eventAcknowledgements: Migration = {
  number: 66,
  name: 'event-acknowledgements',
  up: `
-- Callees who pressed a key that acknowledges the event, in order.
alter table event add column acknowledgements jsonb not null default '[]';
`,
};
