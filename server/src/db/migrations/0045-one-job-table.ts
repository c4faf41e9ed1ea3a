import type { Migration } from '../migrate.ts';

export const oneJobTable: Migration = {
  number: 45,
  name: 'one-job-table',
  up: `
-- The space that a job is deleted with; null if its payload only names a row of the space.
alter table job add column space_id uuid;
create index job_space on job (space_id) where space_id is not null;

-- Waiting mails of the server become jobs; the row stays as the mail log.
insert into job (queue, run_at, attempts, space_id, payload)
select 'server-mail', coalesce(next_attempt_at, created_at), attempts, space_id, jsonb_build_object('mailId', mail_id)
from outgoing_mail where status = 'waiting' order by coalesce(next_attempt_at, created_at), mail_id;
drop index outgoing_mail_due;
alter table outgoing_mail drop column locked_until;
-- Whether a job sends the mail; false for mails of a server of an earlier version that shares the database.
alter table outgoing_mail add column is_queued boolean not null default false;
update outgoing_mail set is_queued = true where status = 'waiting';

-- Waiting notices become jobs as a whole.
insert into job (queue, run_at, attempts, space_id, payload)
select 'notice-mail', next_at, attempts, space_id, jsonb_build_object(
  'noticeMailId', notice_mail_id, 'spaceId', space_id, 'email', email, 'subject', subject, 'text', text,
  'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from notice_mail order by next_at, notice_mail_id;
drop table notice_mail;

-- Imports and exports are leased like call chains and tasks: by a process that renews the lease while it works.
alter table bulk_import add column owner text;
alter table bulk_export add column owner text;
create index bulk_import_owner on bulk_import (owner) where owner is not null;
create index bulk_export_owner on bulk_export (owner) where owner is not null;
create index pigeon_chain_owner on pigeon_chain (owner) where owner is not null;
`,
};
