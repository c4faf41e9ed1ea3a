// Common entry point for received mails: parses a mail once and stores it for every recipient slot.
import { createHash } from 'node:crypto';
import type { ArrivalSink } from '../alerthub/arrivals/arrival.ts';
import { parseMail } from '../alerthub/inbound-mail/parse-mail.ts';
import type { SlotAddress } from '../alerthub/slots/slot-directory.ts';

/** A recipient slot and the address used for it. */
export interface Recipient {
  slot: SlotAddress;
  address: string;
}

/** Thrown for a mail that loops. */
export class MailLoopError extends Error {}

/** Maximum number of relays (RFC 5321, section 6.3, requires at least 100 to be accepted). */
const maxHops = 100;

/** Resolves with the message ids once all are durable. Throws MailLoop and the errors of the taker. */
export async function ingestMail(
  sink: ArrivalSink,
  raw: Buffer,
  recipients: readonly Recipient[],
): Promise<string[]> {
  const { mail, headers, hops, identity } = parseMail(raw);
  if (hops > maxHops) throw new MailLoopError(`the mail was passed on ${hops} times`);
  return Promise.all(
    recipients.map(({ slot, address }) =>
      sink.receive({
        address: slot,
        requestUrl: address,
        headers,
        body: raw,
        mail,
        deliveryKey: identity === undefined ? undefined : `mail\n${identity}\n${contentHash(raw)}`,
      }),
    ),
  );
}

/** Hash of everything after the header, since relays add header fields. */
function contentHash(raw: Buffer): string {
  const blank = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at >= 0);
  return createHash('sha256')
    .update(raw.subarray(blank.length > 0 ? Math.min(...blank) : 0))
    .digest('base64url');
}
