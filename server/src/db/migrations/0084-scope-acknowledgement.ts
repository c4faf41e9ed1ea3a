import type { Migration } from '../migrate.ts';

export const scopeAcknowledgement: Migration = {
  number: 84,
  name: 'scope-acknowledgement',
  up: `
-- When the status last got worse; null while it is normal.
alter table scope_state add column raised_at timestamptz;
-- Who acknowledged the status since then; null if nobody did.
alter table scope_state add column acknowledged_at timestamptz;
alter table scope_state add column acknowledged_by text;
alter table scope_state add column acknowledgement_note text;

update scope_state s set raised_at = coalesce(
  (
    select max(e.created_at) from event e
    where e.scope_id = s.scope_id and (e.status_before, e.status)
      in (('normal', 'warning'), ('normal', 'incident'), ('warning', 'incident'))
  ),
  s.last_event_at,
  now()
)
where s.status <> 'normal';

-- So far, only callees could acknowledge an event.
update event set acknowledgements = (
  select jsonb_agg('{"userId": null, "note": ""}'::jsonb || item order by position)
  from jsonb_array_elements(acknowledgements) with ordinality as each (item, position)
)
where acknowledgements <> '[]';
`,
};
