import type { Migration } from '../migrate.ts';

export const sessionStream: Migration = {
  number: 60,
  name: 'session-stream',
  up: `
alter table greac_session
  -- The gateway that was told to open the session, and where.
  add column kroker_id uuid,
  add column host text,
  add column port integer,
  add column host_key text,
  add column failure jsonb;
create index greac_session_kroker on greac_session (kroker_id) where status = 'opened';

-- Each opens one stream.
create table greac_ticket (
  ticket_hash bytea primary key,
  space_id uuid not null,
  session_id uuid not null references greac_session,
  viewer_id uuid not null,
  user_id uuid not null,
  grant_id text,
  token_epoch integer,
  api_token_id uuid,
  expires_at timestamptz not null
);
create index greac_ticket_expiry on greac_ticket (expires_at);

update resource set body = body || '{"hostKeyPolicy": "ask", "strictRecording": false}' where kind = 'destination';
`,
};
