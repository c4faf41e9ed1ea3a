// Encodes messages for the intake journal and stores the position up to which the database has taken them
// over.
import type { Queryable } from '../../db/database.ts';
import type { ArrivalRow } from './store-arrivals.ts';

const newline = 10;

/** Journal position up to which the database has everything. */
export async function readJournalMark(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ place: number }>('select place from intake_mark');
  return Number(rows[0]!.place);
}

/** Advances the mark: entries up to this position are never stored again. */
export async function advanceJournalMark(database: Queryable, sequence: number): Promise<void> {
  await database.query('update intake_mark set place = greatest(place, $1::bigint)', [sequence]);
}

/** Format: one line of JSON, then the raw body. */
export function encodeRow({
  address: { spaceId, receiveSlotId, kind, disabled, endpoint },
  body,
  journalSequence: _sequence,
  fingerprint,
  ...row
}: ArrivalRow): Buffer {
  // The format on disk calls the endpoint `place`.
  const address = { spaceId, receiveSlotId, kind, disabled, place: endpoint };
  const head = `${JSON.stringify({ address, ...row, fingerprint: fingerprint.toString('base64') })}\n`;
  const start = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(start + body.length);
  bytes.write(head, 0, 'utf8');
  body.copy(bytes, start);
  return bytes;
}

/** Throws if the bytes are not a valid row. */
export function decodeRow(bytes: Buffer): ArrivalRow {
  const end = bytes.indexOf(newline);
  const { fingerprint, address, ...row } = JSON.parse(bytes.toString('utf8', 0, end));
  const { place, ...slot } = address;
  return {
    ...row,
    address: { ...slot, endpoint: place },
    deliveryKey: row.deliveryKey,
    fingerprint: Buffer.from(fingerprint, 'base64'),
    body: bytes.subarray(end + 1),
  };
}
