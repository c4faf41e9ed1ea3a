import type { Migration } from '../migrate.ts';

export const externalAccount: Migration = {
  number: 17,
  name: 'external-account',
  up: `
-- Accounts of external OpenID providers with which a person signs in.
create table person_link (
  space_id uuid not null references space,
  issuer text not null,
  subject text not null,
  user_id uuid not null references person on delete cascade,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (space_id, issuer, subject)
);
create index person_link_person on person_link (space_id, user_id);
`,
};
