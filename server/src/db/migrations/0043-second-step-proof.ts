import type { Migration } from '../migrate.ts';

export const secondStepProof: Migration = {
  number: 43,
  name: 'second-step-proof',
  up: `
-- Whether the sign-in that was made again went by a second step, or by what needs none beside it.
alter table sign_in_session add column proved_by_second_step boolean not null default false;

-- Kinds of rows whose secrets were sealed after tables were made that held them as they are; looked at when the server starts.
create table sealed_rows (
  kind text primary key,
  sealed_at timestamptz(3) not null
);
`,
};
