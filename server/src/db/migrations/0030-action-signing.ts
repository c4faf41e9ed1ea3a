import type { Migration } from '../migrate.ts';

export const actionSigning: Migration = {
  number: 30,
  name: 'action-signing',
  up: `
-- Actions whose signing secret was made anew: how often, and when last. An action without a row has its first one.
create table action_signing (
  action_id uuid primary key,
  space_id uuid not null,
  round integer not null,
  renewed_at timestamptz not null
);
`,
};
