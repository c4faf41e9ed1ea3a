import type { Migration } from '../migrate.ts';

export const slotWatch: Migration = {
  number: 25,
  name: 'slot-watch',
  up: `
update resource set body = body || '{"heartbeatInterval": null, "watchHabit": true}' where kind = 'receive-slot';

-- What is expected of each receive slot, and whether it has kept to it.
create table slot_watch (
  receive_slot_id uuid primary key,
  space_id uuid not null,
  -- The settings that it was watched by; a change of them begins anew.
  settings text not null,
  -- No silence is counted from before this.
  watched_from timestamptz not null,
  -- The last message that is known, kept or not.
  seen_at timestamptz,
  state text not null,
  expected_by timestamptz,
  reason jsonb not null,
  computed_at timestamptz not null,
  -- What the notification addresses have not been told yet: overdue or returned.
  tell text,
  told_at timestamptz
);
create index slot_watch_tell on slot_watch (space_id) where tell is not null;

-- When the slots were last looked at, so that a silence of this server's own is told from theirs.
create table slot_watch_look (
  sole boolean primary key default true check (sole),
  looked_at timestamptz not null
);
`,
};
