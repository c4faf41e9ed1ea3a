// Converts a stored message to the form the engine takes.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import type { Mail } from '../inbound-mail/parse-mail.ts';
import { MessageBody } from '../message-body/message-body.ts';
import { maskedUrl } from '../slots/slot-token.ts';

/** Columns of table `message` joined as `m`. Mails were parsed on arrival; their raw bytes are not read. */
export const messageColumns = `m.message_id, m.received_at, m.receive_slot_id, m.receive_slot_kind, m.request_url, m.headers,
  m.mail, case when m.mail is not null then '' when length(m.body) < m.size then m.body || coalesce((
    select string_agg(b.bytes, '' order by b.start) from message_body_part b where b.message_id = m.message_id
  ), '') else m.body end as body`;

export interface MessageRow {
  /** Null if the message does not exist. */
  message_id: string | null;
  received_at: string;
  receive_slot_id: string;
  receive_slot_kind: string;
  /** The URL the message was sent to, without the token; for email, the recipient address. */
  request_url: string;
  headers: Record<string, string>;
  mail: Mail | null;
  /** Empty for a mail. */
  body: Buffer;
}

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

/** Returns the content and metadata of a message. */
export function partsOf(
  row: Pick<MessageRow, 'mail' | 'body' | 'request_url' | 'headers'>,
): Pick<ReceivedMessage, 'content' | 'metadata' | 'readData'> {
  const { mail, headers } = row;
  if (!mail) {
    const body = new MessageBody(row.body, headers);
    return {
      content: {
        get body() {
          return body.text;
        },
      },
      readData: () => body.readData(),
      // Earlier releases stored the whole URL.
      metadata: { requestUrl: maskedUrl(row.request_url), headers },
    };
  }
  const { from, ...content } = mail;
  return { content: { ...content }, metadata: { from, recipient: row.request_url, headers } };
}
