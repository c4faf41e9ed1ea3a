import type { Migration } from '../migrate.ts';

export const jobSpaces: Migration = {
  number: 86,
  name: 'job-spaces',
  up: `
-- Deliveries belong to their space, so that each space has its share of attempts.
update job set space_id = r.space_id from action_record r
where job.queue = 'delivery' and job.space_id is null and r.action_record_id =
  case when job.payload->>'actionRecordId' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (job.payload->>'actionRecordId')::uuid end;

-- Due jobs of each space; those of all spaces with a backlog are not read for those of one without.
drop index job_space;
create index job_space_due on job (queue, space_id, run_at, id);
`,
};
