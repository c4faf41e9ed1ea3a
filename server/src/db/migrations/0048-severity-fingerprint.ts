import type { Migration } from '../migrate.ts';

const withMode = (name: string) => `(
  select coalesce(jsonb_agg('{"mode": "add", "fingerprint": null}'::jsonb || t.param order by t.position), '[]')
  from jsonb_array_elements(body->'${name}') with ordinality as t(param, position)
)`;

export const severityFingerprint: Migration = {
  number: 48,
  name: 'severity-fingerprint',
  up: `
-- What each fingerprint has set in a severity; a row is removed when its value is 0.
create table severity_fingerprint (
  space_id uuid not null,
  scope_id uuid not null,
  name text not null,
  fingerprint text not null,
  value integer not null,
  updated_at timestamptz not null,
  primary key (scope_id, name, fingerprint)
);

-- The events of stored rules add to severities.
update resource set body = body || jsonb_build_object(
  'eventParams', ${withMode('eventParams')},
  'conditionalEventParams', ${withMode('conditionalEventParams')}
) where kind = 'rule';
`,
};
