import type { Migration } from '../migrate.ts';

export const messageRepeat: Migration = {
  number: 83,
  name: 'message-repeat',
  up: `
-- The second arrival of a message, at the other address of its slot.
alter table message_twin rename to message_repeat;
alter index message_twin_pkey rename to message_repeat_pkey;
`,
};
