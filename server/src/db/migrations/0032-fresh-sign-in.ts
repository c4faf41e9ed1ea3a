import type { Migration } from '../migrate.ts';

export const freshSignIn: Migration = {
  number: 32,
  name: 'fresh-sign-in',
  up: `
-- Until when a sign-in that was made again shows once that it is still the person; null when it was not, or was used.
alter table sign_in_session add column proved_until timestamptz;
`,
};
