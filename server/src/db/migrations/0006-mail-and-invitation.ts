import type { Migration } from '../migrate.ts';

export const mailAndInvitation: Migration = {
  number: 6,
  name: 'mail-and-invitation',
  up: `
-- Mails of the server itself: invitations, links to change something, notices.
create table outgoing_mail (
  mail_id uuid primary key,
  space_id uuid not null references space,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- The text, encrypted with the server's secret, for it may hold a link; gone once the mail has left.
  sealed bytea,
  status text not null,
  attempts integer not null default 0,
  reason jsonb,
  next_attempt_at timestamptz(3),
  locked_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index outgoing_mail_due on outgoing_mail (space_id, next_attempt_at) where status = 'waiting';
create index outgoing_mail_created on outgoing_mail (space_id, created_at, mail_id);

create table invitation (
  invitation_id uuid primary key,
  space_id uuid not null references space,
  email text not null,
  roles text[] not null default '{}',
  language text not null,
  invited_by uuid references person on delete set null,
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index invitation_email on invitation (space_id, lower(email)) where accepted_at is null;
create index invitation_created on invitation (space_id, created_at, invitation_id);

-- Links that were mailed: each good once, for one purpose, until it expires.
create table one_time_token (
  token_hash bytea primary key,
  space_id uuid not null references space,
  purpose text not null,
  user_id uuid references person on delete cascade,
  -- What the link is about beside the person, such as the new address.
  facts jsonb not null default '{}',
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index one_time_token_person on one_time_token (space_id, user_id, purpose);
create index one_time_token_expiry on one_time_token (space_id, expires_at);
`,
};
