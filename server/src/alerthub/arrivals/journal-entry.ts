// Encodes messages as entries of the intake journal.
import type { ArrivalRow } from './arrival.ts';

const newline = 10;

/** Format: one line of JSON, then the raw body. */
export function encodeRow({
  address: { spaceId, receiveSlotId, kind, disabled, endpoint },
  requestUrl,
  headers,
  body,
  deliveryKey,
  mail,
  messageId,
  receivedAt,
  fingerprint,
}: ArrivalRow): Buffer {
  const line = {
    // The format on disk calls the endpoint `place`.
    address: { spaceId, receiveSlotId, kind, disabled, place: endpoint },
    requestUrl,
    headers,
    deliveryKey,
    mail,
    messageId,
    receivedAt,
    fingerprint: fingerprint.toString('base64'),
  };
  const head = `${JSON.stringify(line)}\n`;
  const start = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(start + body.length);
  bytes.write(head, 0, 'utf8');
  body.copy(bytes, start);
  return bytes;
}

/**
 * Throws if the bytes are not a valid row. Names every property: collecting the rest of an object takes three times
 * as long as parsing the line.
 */
export function decodeRow(bytes: Buffer): ArrivalRow {
  const end = bytes.indexOf(newline);
  const { address, requestUrl, headers, deliveryKey, mail, messageId, receivedAt, fingerprint } = JSON.parse(
    bytes.toString('utf8', 0, end),
  );
  const { spaceId, receiveSlotId, kind, disabled, place: endpoint } = address;
  return {
    address: { spaceId, receiveSlotId, kind, disabled, endpoint },
    requestUrl,
    headers,
    body: bytes.subarray(end + 1),
    deliveryKey,
    mail,
    messageId,
    receivedAt,
    fingerprint: Buffer.from(fingerprint, 'base64'),
  };
}
