import type { Migration } from '../migrate.ts';

export const administration: Migration = {
  number: 9,
  name: 'administration',
  up: `
-- Members of user groups, which are rows of resource.
create table user_group_member (
  space_id uuid not null references space,
  user_group_id uuid not null,
  user_id uuid not null references person on delete cascade,
  joined_at timestamptz(3) not null,
  primary key (user_group_id, user_id)
);
create index user_group_member_user on user_group_member (user_id);

-- From where a space may be reached; no row: from everywhere.
create table ip_restriction (
  space_id uuid primary key references space,
  enabled boolean not null,
  -- [{address, remarks}]
  addresses jsonb not null,
  version bigint not null default 1,
  updated_at timestamptz(3) not null
);

alter table api_token add column last_used_from text;
`,
};
