// Reads fields of a message; a field beyond its end is an error, never a shorter one.
import { SessionError } from '../session-error.ts';

export function malformed(field: string): SessionError {
  return new SessionError('PROTOCOL', { reason: 'MALFORMED', field });
}

export class ByteReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get offset(): number {
    return this.at;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** A view of the next bytes. */
  take(length: number, field: string): Buffer {
    if (length > this.left) throw malformed(field);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  u8(field: string): number {
    return this.take(1, field).readUInt8();
  }

  u16le(field: string): number {
    return this.take(2, field).readUInt16LE();
  }

  u16be(field: string): number {
    return this.take(2, field).readUInt16BE();
  }

  u32le(field: string): number {
    return this.take(4, field).readUInt32LE();
  }

  expect(wanted: readonly number[], field: string): void {
    if (!this.take(wanted.length, field).equals(Buffer.from(wanted))) throw malformed(field);
  }
}
