import type { Migration } from '../migrate.ts';

export const bootstrapToken: Migration = {
  number: 46,
  name: 'bootstrap-token',
  up: `
-- The token whose value is configured. It was recognized by its name alone: a row that can be it is marked, so
-- that a former value does not stay valid.
alter table api_token add column is_bootstrap boolean not null default false;
update api_token t set is_bootstrap = true from person p
where t.display_name = 'bootstrap' and t.roles is null and t.expires_at is null and p.user_id = t.user_id and p.privileged;
create unique index api_token_bootstrap on api_token (space_id) where is_bootstrap;
`,
};
