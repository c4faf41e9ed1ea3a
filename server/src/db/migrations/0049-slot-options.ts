import type { Migration } from '../migrate.ts';

export const slotOptions: Migration = {
  number: 49,
  name: 'slot-options',
  up: `
update resource
set body = body || '{"answer": "accepted", "allowPut": false, "allowGet": false, "deliveryIdPath": null}'
where kind = 'receive-slot';

-- The latest refused requests of each receive slot.
create table slot_refusal (
  receive_slot_id uuid not null,
  space_id uuid not null,
  address text not null,
  reason text not null,
  method text not null,
  sender text not null,
  user_agent text not null,
  count bigint not null,
  refused_at timestamptz not null,
  primary key (receive_slot_id, address, reason, method, sender)
);
`,
};
