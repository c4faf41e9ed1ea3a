// A stored message as the engine takes it.
import type { DecideMessage } from '@yagura/core/alerthub/decide/decide';

/** Columns of table `message` joined as `m`. */
export const messageColumns =
  'm.message_id, m.received_at, m.receive_slot_id, m.receive_slot_kind, m.request_url, m.headers, m.body';

export interface MessageRow {
  /** Null when the message is not there. */
  message_id: string | null;
  received_at: string;
  receive_slot_id: string;
  receive_slot_kind: string;
  request_url: string;
  headers: Record<string, string>;
  body: Buffer;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function messageOf(row: MessageRow): DecideMessage | undefined {
  if (row.message_id === null) return undefined;
  return {
    messageId: row.message_id,
    receivedAt: row.received_at,
    receiveSlotId: row.receive_slot_id,
    receiveSlotKind: row.receive_slot_kind,
    content: { body: decoder.decode(row.body) },
    metadata: { requestUrl: row.request_url, headers: row.headers },
  };
}
