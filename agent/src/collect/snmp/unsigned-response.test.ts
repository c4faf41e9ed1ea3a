import { expect, test } from 'vitest';
import { isUnsignedResponse } from './unsigned-response.ts';

const field = (tag: number, ...parts: Uint8Array[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};
const number = (value: number) => field(2, Buffer.from([value]));
const octets = (...bytes: number[]) => field(4, Buffer.from(bytes));
/** A message of SNMP v3 with these flags (1: signed, 2: encrypted). */
const message = (flags: number, data: Buffer) =>
  field(0x30, number(3), field(0x30, number(1), number(9), octets(flags), number(3)), octets(), data);
const scoped = (pdu: number) => field(0x30, octets(1), octets(), field(pdu, number(1)));

test.each<[string, Buffer, boolean]>([
  ['a signed response', message(1, scoped(0xa2)), false],
  ['a signed and encrypted response', message(3, octets(7, 7)), false],
  ['a report without signature', message(0, scoped(0xa8)), false],
  ['a response without signature', message(0, scoped(0xa2)), true],
  ['an encrypted response without signature', message(2, octets(7, 7)), true],
  ['nothing', Buffer.alloc(0), true],
  ['a cut message', message(1, scoped(0xa2)).subarray(0, 9), true],
  ['lengths beyond the end', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 2]), true],
])('%s', (_, bytes, unsigned) => expect(isUnsignedResponse(bytes)).toBe(unsigned));
