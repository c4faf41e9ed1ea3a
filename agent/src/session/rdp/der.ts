// The part of DER (X.690) that CredSSP uses: definite lengths, tags of one byte.
import { ByteReader, malformed } from './byte-reader.ts';

export const tags = { integer: 0x02, octets: 0x04, sequence: 0x30 } as const;
/** Tag of an explicit, constructed context field. */
export const contextTag = (number: number) => 0xa0 | number;

export function encodeDer(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body]);
  const digits = length < 0x100 ? [length] : [length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length, ...digits]), body]);
}

/** Content bytes of the value that begins here. */
export function readDer(reader: ByteReader, tag: number, field: string): Buffer {
  if (reader.u8(field) !== tag) throw malformed(field);
  return reader.take(readDerLength(reader, field), field);
}

export function readDerLength(reader: ByteReader, field: string): number {
  const first = reader.u8(field);
  if (first < 0x80) return first;
  const digits = first & 0x7f;
  if (digits < 1 || digits > 3) throw malformed(field);
  return reader.take(digits, field).readUIntBE(0, digits);
}

/** Explicit context fields of a sequence by their number. */
export function readFields(content: Uint8Array, field: string): Map<number, Buffer> {
  const reader = new ByteReader(content);
  const fields = new Map<number, Buffer>();
  while (reader.left > 0) {
    const tag = reader.u8(field);
    if ((tag & 0xe0) !== 0xa0 || fields.has(tag & 0x1f)) throw malformed(field);
    fields.set(tag & 0x1f, reader.take(readDerLength(reader, field), field));
  }
  return fields;
}
