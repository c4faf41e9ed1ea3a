import type { Migration } from '../migrate.ts';

export const externalSignOut: Migration = {
  number: 28,
  name: 'external-sign-out',
  up: `
-- The ID token of the external provider, by which its own session is ended too; encrypted with the server's secret.
alter table sign_in_session add column external_token bytea;
`,
};
