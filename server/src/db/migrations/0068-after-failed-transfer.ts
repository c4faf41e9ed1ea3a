import type { Migration } from '../migrate.ts';

export const afterFailedTransfer: Migration = {
  number: 68,
  name: 'after failed transfer',
  up: `
update resource set body = body || '{"endsAfterFailedTransfer": false}' where kind = 'callflow';
`,
};
