// A message on its way from a receiver to the database.
import type { Mail } from '../inbound-mail/parse-mail.ts';
import type { SlotAddress } from '../slots/slot-directory.ts';

export interface Arrival {
  address: SlotAddress;
  /** Without the token; for a mail, the recipient address. */
  requestUrl: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Sender-supplied key that identifies repeated posts (Idempotency-Key and the like). */
  deliveryKey: string | undefined;
  /** Parsed mail; its bytes are in the body. */
  mail?: Mail;
}

/** Receives a message; resolves with its id once it is durable. */
export interface ArrivalSink {
  receive(arrival: Arrival): Promise<string>;
}

/** A received message with its id. */
export interface ArrivalRow extends Arrival {
  messageId: string;
  receivedAt: string;
  /** 16 bytes: hash of the delivery key, or of the body if there is none. */
  fingerprint: Buffer;
  /** Where the intake journal has it, if it is there. */
  journalEntry?: { journalId: string; sequence: number };
  /** Set if it was compared with all messages that it could repeat; the database does not search for them again. */
  isKnownNew?: boolean;
  /** Set if parts of the body are stored already: how many bytes the row of the message holds. */
  inlineBytes?: number;
}
