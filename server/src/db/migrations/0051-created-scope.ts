import type { Migration } from '../migrate.ts';

export const createdScope: Migration = {
  number: 51,
  name: 'created-scope',
  up: `
-- Existing scopes that rules have created, and the receive slot of the rule.
create table created_scope (
  scope_id uuid primary key,
  space_id uuid not null,
  receive_slot_id uuid not null,
  rule_id uuid not null,
  -- Whether the creation is in the audit log.
  audited boolean not null default false
);
create index created_scope_space on created_scope (space_id, receive_slot_id);
create index created_scope_unaudited on created_scope (space_id) where not audited;

-- The events of stored rules select scopes by attributes only, and create none.
update resource set body = body || jsonb_build_object('conditionalEventParams', (
  select coalesce(jsonb_agg('{"scopeName": null, "createScope": false}'::jsonb || t.param order by t.position), '[]')
  from jsonb_array_elements(body->'conditionalEventParams') with ordinality as t(param, position)
)) where kind = 'rule';

update resource set body = body || '{"confirmSubscriptions": false}' where kind = 'receive-slot';
`,
};
