import type { Migration } from '../migrate.ts';

export const agentRequest: Migration = {
  number: 24,
  name: 'agent-request',
  up: `
-- Requests that on-site agents make; a row lives as long as somebody waits for its answer.
create table agent_request (
  request_id uuid primary key,
  space_id uuid not null,
  ksocket_slot_id uuid not null,
  request jsonb not null,
  answer jsonb,
  created_at timestamptz not null
);
create index agent_request_created on agent_request (created_at);
`,
};
