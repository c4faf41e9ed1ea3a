// The one way in for mails, whoever brings them: read once, then stored for every slot it was sent to.
import { createHash } from 'node:crypto';
import type { ArrivalSink } from '../intake/store-arrivals.ts';
import type { SlotAddress } from '../slots/slot-directory.ts';
import { parseMail } from './parse-mail.ts';

/** A slot that a mail is for, and the address by which it was named. */
export interface Recipient {
  slot: SlotAddress;
  address: string;
}

/** A mail that goes in circles. */
export class MailLoopError extends Error {}

/** Hosts that may have passed a mail on (RFC 5321, section 6.3, wants at least 100 to be borne). */
const maxHops = 100;

/** Resolves with the messages' ids once all are durable. Throws MailLoop, and what the taker throws. */
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

/** What follows the header: hosts on the way write into that. */
function contentHash(raw: Buffer): string {
  const blank = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at >= 0);
  return createHash('sha256')
    .update(raw.subarray(blank.length > 0 ? Math.min(...blank) : 0))
    .digest('base64url');
}
