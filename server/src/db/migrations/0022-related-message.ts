import type { Migration } from '../migrate.ts';

export const relatedMessage: Migration = {
  number: 22,
  name: 'related-message',
  up: `
update resource set body = body || '{"relatedMessageFilters": []}'
where kind = 'trigger' and body->'relatedMessageFilters' is null;
`,
};
