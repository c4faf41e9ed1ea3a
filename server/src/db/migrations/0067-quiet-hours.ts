import type { Migration } from '../migrate.ts';

export const quietHours: Migration = {
  number: 67,
  name: 'quiet hours',
  up: `
update resource set body = body || '{"quietHours": null}' where kind = 'callflow';
`,
};
