import type { Migration } from '../migrate.ts';

export const orphanedReferences: Migration = {
  number: 77,
  name: 'orphaned references',
  up: `
-- Scan schedules of deleted networks: no page shows them, and each run is rejected.
with gone as (
  delete from resource s where s.kind = 'task-schedule' and s.body->>'namespace' = 'sonar' and s.body->>'method' = 'scan'
    and not exists (select 1 from resource n where n.space_id = s.space_id and n.kind = 'network'
      and n.id::text = s.body->'params'->>'networkId')
  returning s.id)
delete from task_schedule where task_schedule_id in (select id from gone);

-- Members of destinations who are deleted: such a destination cannot be saved.
update resource d set version = version + 1, body = jsonb_set(d.body, '{members,userIds}', coalesce(
    (select jsonb_agg(member) from jsonb_array_elements_text(d.body #> '{members,userIds}') as member
      where exists (select 1 from person p where p.space_id = d.space_id and p.user_id::text = member)), '[]'))
  where d.kind = 'destination' and exists (
    select 1 from jsonb_array_elements_text(d.body #> '{members,userIds}') as member
    where not exists (select 1 from person p where p.space_id = d.space_id and p.user_id::text = member));
delete from reference f where f.to_kind = 'user'
  and not exists (select 1 from person p where p.space_id = f.space_id and p.user_id = f.to_id);
`,
};
