import type { Migration } from '../migrate.ts';

export const diagram: Migration = {
  number: 19,
  name: 'diagram',
  up: `
-- A position keeps the digits in which it came; a double would round them.
alter table diagram_position alter column pos_x type text, alter column pos_y type text;
`,
};
