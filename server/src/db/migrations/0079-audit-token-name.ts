import type { Migration } from '../migrate.ts';

export const auditTokenName: Migration = {
  number: 79,
  name: 'audit-token-name',
  up: `
-- Name of the API token at the time of the record; null in records without a token and in those from before.
alter table audit_record add column api_token_name text;
`,
};
