// Identifies a machine by the id that its system or firmware gave it.
import { createHmac } from 'node:crypto';

/** Ids that vendors leave in place of one. */
const placeholders = new Set([
  '03000200040005000006000700080009',
  '12345678123456781234567812345678',
  'fefefefefefefefefefefefefefefefe',
]);

/** The id must not leave the machine as it is (machine-id(5)), so a keyed hash of it does. */
export function footprintOf(text: string | undefined): string | undefined {
  const id = (text ?? '').trim().toLowerCase().replace(/[{}-]/g, '');
  if (!/^[\da-f]{32}$/.test(id) || /^(.)\1*$/.test(id) || placeholders.has(id)) return undefined;
  return createHmac('sha256', 'yagura footprint').update(id).digest('hex');
}
