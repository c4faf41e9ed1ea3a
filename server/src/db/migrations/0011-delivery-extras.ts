import type { Migration } from '../migrate.ts';

export const deliveryExtras: Migration = {
  number: 11,
  name: 'delivery-extras',
  up: `
-- A test send has nothing that fired it.
alter table action_record
  add column drill boolean not null default false,
  -- When a failure was told of, or need not be.
  add column noticed_at timestamptz,
  alter column scope_id drop not null,
  alter column trigger_id drop not null,
  alter column event_id drop not null;
update action_record set noticed_at = updated_at where status = 'failed';
create index action_record_unnoticed on action_record (space_id, action_id)
  where status = 'failed' and noticed_at is null and not drill;

-- When failures of an action were last told of: more of them are gathered for a while.
create table failure_notice (
  space_id uuid not null,
  action_id uuid not null,
  sent_at timestamptz not null,
  primary key (space_id, action_id)
);

-- Mails of the product itself that wait to be sent.
create table notice_mail (
  notice_mail_id uuid primary key,
  space_id uuid not null,
  email text not null,
  subject text not null,
  text text not null,
  attempts integer not null default 0,
  next_at timestamptz not null,
  created_at timestamptz not null
);
create index notice_mail_due on notice_mail (next_at);
`,
};
