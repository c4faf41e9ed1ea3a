import type { Migration } from '../migrate.ts';

export const lighterStore: Migration = {
  number: 33,
  name: 'lighter-store',
  up: `
-- Statistics over columns that no condition reads took most of the time of an ANALYZE.
alter table message alter column headers set statistics 0, alter column body set statistics 0, alter column mail set statistics 0;
alter table decision alter column rules set statistics 0, alter column notes set statistics 0;
alter table event alter column triggers set statistics 0;
alter table action_record alter column request set statistics 0, alter column attempts set statistics 0,
  alter column missing set statistics 0, alter column output set statistics 0;
alter table runbook_record alter column flow set statistics 0, alter column context set statistics 0;
alter table runbook_record_step alter column input set statistics 0, alter column output set statistics 0,
  alter column reason set statistics 0;
alter table snapshot_node alter column facts set statistics 0, alter column packages set statistics 0,
  alter column windows_updates set statistics 0;
alter table managed_node alter column facts set statistics 0, alter column windows_updates set statistics 0;
alter table bulk_import_row alter column before set statistics 0, alter column after set statistics 0,
  alter column body set statistics 0;
alter table audit_record alter column before set statistics 0, alter column after set statistics 0;

-- A step is found by its record: the ids of one record's steps are made from their order and repeat nothing.
alter table runbook_record_step drop constraint runbook_record_step_runbook_record_id_step_id_key;

-- Counting the messages of one slot asks for the space of each; with it in the index no row need be read.
drop index message_slot;
create index message_slot on message (receive_slot_id, received_at, message_id) include (space_id);
`,
};
