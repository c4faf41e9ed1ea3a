import type { Migration } from '../migrate.ts';

export const spaceEnd: Migration = {
  number: 23,
  name: 'space-end',
  up: `
-- A space that is cancelled is erased at its end, unless that is taken back before.
alter table space add column cancel_requested_at timestamptz(3);
alter table space add column cancel_requested_by text;
alter table space add column cancel_ends_at timestamptz(3);
`,
};
