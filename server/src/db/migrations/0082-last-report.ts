import type { Migration } from '../migrate.ts';

export const lastReport: Migration = {
  number: 82,
  name: 'last-report',
  up: `
-- When a problem of a scope with a recovery time was last reported without a change; null if it was not.
alter table scope_state add column last_reported_at timestamptz;
`,
};
