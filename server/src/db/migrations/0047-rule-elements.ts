import type { Migration } from '../migrate.ts';

export const ruleElements: Migration = {
  number: 47,
  name: 'rule-elements',
  up: `
-- Stored rules evaluate a message once.
update resource set body = body || '{"forEach": null}' where kind = 'rule';
`,
};
