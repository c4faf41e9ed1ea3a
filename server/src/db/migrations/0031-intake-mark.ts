import type { Migration } from '../migrate.ts';

export const intakeMark: Migration = {
  number: 31,
  name: 'intake-mark',
  up: `
-- How far the intake journal of the embedded engine was taken over, moved by the statement that takes over: one row.
create table intake_mark (
  one boolean primary key default true check (one),
  place bigint not null
);
insert into intake_mark (place) values (0);
`,
};
