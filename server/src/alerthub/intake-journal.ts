// The form of an arrival in the intake journal, and how far the store has taken the journal over.
import type { Queryable } from '../db/database.ts';
import type { Row } from './store-arrivals.ts';

const newline = 10;

/** The place up to which the store has everything. */
export async function readMark(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ place: number }>('select place from intake_mark');
  return Number(rows[0]!.place);
}

/** Says that the store shall have nothing more up to this place. */
export async function passMark(database: Queryable, place: number): Promise<void> {
  await database.query('update intake_mark set place = greatest(place, $1::bigint)', [place]);
}

/** One line of JSON, then the body as it came. */
export function encodeRow({ body, place: _place, fingerprint, ...facts }: Row): Buffer {
  const head = JSON.stringify({ ...facts, fingerprint: fingerprint.toString('base64') });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

/** Throws for bytes that are no row. */
export function decodeRow(bytes: Buffer): Row {
  const end = bytes.indexOf(newline);
  const { fingerprint, ...facts } = JSON.parse(bytes.toString('utf8', 0, end));
  return {
    ...facts,
    deliveryKey: facts.deliveryKey,
    fingerprint: Buffer.from(fingerprint, 'base64'),
    body: bytes.subarray(end + 1),
  };
}
