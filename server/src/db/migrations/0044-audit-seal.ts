import type { Migration } from '../migrate.ts';

export const auditSeal: Migration = {
  number: 44,
  name: 'audit-seal',
  up: `
-- A keyed hash over the chain's row, so that nobody moves its ends who does not know the secret; null until the server has sealed it once.
alter table audit_chain add column seal bytea;
`,
};
