// The form of an arrival in the intake journal, and how far the store has taken the journal over.
import type { Queryable } from '../../db/database.ts';
import type { ArrivalRow } from './store-arrivals.ts';

const newline = 10;

/** The place up to which the store has everything. */
export async function readJournalMark(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ place: number }>('select place from intake_mark');
  return Number(rows[0]!.place);
}

/** Says that the store shall have nothing more up to this place. */
export async function advanceJournalMark(database: Queryable, sequence: number): Promise<void> {
  await database.query('update intake_mark set place = greatest(place, $1::bigint)', [sequence]);
}

/** One line of JSON, then the body as it came. */
export function encodeRow({
  address: { endpoint, ...slot },
  body,
  journalSequence: _sequence,
  fingerprint,
  ...row
}: ArrivalRow): Buffer {
  const address = { ...slot, place: endpoint };
  const head = JSON.stringify({ address, ...row, fingerprint: fingerprint.toString('base64') });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

/** Throws for bytes that are no row. */
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
