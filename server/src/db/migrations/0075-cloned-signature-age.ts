import type { Migration } from '../migrate.ts';

export const clonedSignatureAge: Migration = {
  number: 75,
  name: 'cloned signature age',
  up: `
-- End of the last scan that found the value at several devices; marks that are not found again expire.
alter table cloned_signature add column found_at timestamptz(3) not null default now();
alter table cloned_signature alter column found_at drop default;
`,
};
