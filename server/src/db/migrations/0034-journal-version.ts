import type { Migration } from '../migrate.ts';

export const journalVersion: Migration = {
  number: 34,
  name: 'journal-version',
  up: `
-- A program that knows only version 1 would take a journal of version 2 for empty; this number keeps it from starting.
comment on table intake_mark is 'how far the intake journal (version 2) was taken over';
`,
};
