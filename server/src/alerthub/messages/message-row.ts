// A stored message as the engine takes it.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import type { Mail } from '../inbound-mail/parse-mail.ts';
import { maskedUrl } from '../slots/slot-token.ts';

/** Columns of table `message` joined as `m`. What a mail says was read as it came; its bytes stay where they are. */
export const messageColumns = `m.message_id, m.received_at, m.receive_slot_id, m.receive_slot_kind, m.request_url, m.headers,
  m.mail, case when m.mail is null then m.body else '' end as body`;

export interface MessageRow {
  /** Null when the message is not there. */
  message_id: string | null;
  received_at: string;
  receive_slot_id: string;
  receive_slot_kind: string;
  /** Without the token; of a mail: the address it was sent to. */
  request_url: string;
  headers: Record<string, string>;
  mail: Mail | null;
  /** Empty for a mail. */
  body: Buffer;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function toMessage(row: MessageRow & { message_id: string }): ReceivedMessage;
export function toMessage(row: MessageRow): ReceivedMessage | undefined;
export function toMessage(row: MessageRow): ReceivedMessage | undefined {
  if (row.message_id === null) return undefined;
  return {
    messageId: row.message_id,
    receivedAt: row.received_at,
    receiveSlotId: row.receive_slot_id,
    receiveSlotKind: row.receive_slot_kind,
    ...partsOf(row),
  };
}

/** What a message says and how it came. */
export function partsOf(
  row: Pick<MessageRow, 'mail' | 'body' | 'request_url' | 'headers'>,
): Pick<ReceivedMessage, 'content' | 'metadata'> {
  const { mail, headers } = row;
  if (!mail)
    return {
      content: { body: decoder.decode(row.body) },
      // Earlier releases stored the whole URL.
      metadata: { requestUrl: maskedUrl(row.request_url), headers },
    };
  const { from, ...content } = mail;
  return { content: { ...content }, metadata: { from, recipient: row.request_url, headers } };
}
