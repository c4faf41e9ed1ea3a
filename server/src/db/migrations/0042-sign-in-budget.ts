import type { Migration } from '../migrate.ts';

export const signInBudget: Migration = {
  number: 42,
  name: 'sign-in-budget',
  up: `
-- What is left of the wrong attempts that somebody may make, by device, account or network address; all kept as keyed hashes.
-- Attempts counted before the change of rules are forgotten once.
drop table signin_attempt;
create table signin_budget (
  space_id uuid not null references space,
  kind text not null,
  subject bytea not null,
  -- The account that a reset of its password frees; null where the row belongs to no account.
  account bytea,
  -- When every failure is forgotten again: each one puts this off by the same time.
  empty_at timestamptz(3) not null,
  -- Until then no attempt is made.
  wait_until timestamptz(3),
  primary key (space_id, kind, subject)
);
create index signin_budget_account on signin_budget (space_id, account) where account is not null;
create index signin_budget_age on signin_budget (empty_at);

-- Browsers that a person has signed in with before: what strangers do elsewhere does not keep them out.
create table known_device (
  space_id uuid not null references space,
  user_id uuid not null references person on delete cascade,
  -- SHA-256 of the token in the browser's cookie.
  token_hash bytea not null,
  -- Whether it has passed the second step as well; a device known by a mailed link alone has not.
  second_step boolean not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (space_id, user_id, token_hash)
);
create index known_device_expiry on known_device (expires_at);
`,
};
