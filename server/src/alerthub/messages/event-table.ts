// The rows of events, of a scope or of one message.
import { event } from '@yagura/core/alerthub/event';
import { rowTable, type Table } from '../../resource/list/table.ts';

export const eventTable = rowTable(event, { from: 'event e', alias: 'e', parent: 'scope_id' });

/** Events raised by one message, in all scopes. */
export function messageEvents(messageId: string): Table {
  return { ...eventTable, where: `e.space_id = {space} and e.message_id = '${messageId}'` };
}
