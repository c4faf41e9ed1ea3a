import type { Migration } from '../migrate.ts';

export const personLanguage: Migration = {
  number: 81,
  name: 'person-language',
  up: `
-- Of the last sign-in, for mails that somebody else causes; null before the first one.
alter table person add column language text;
`,
};
