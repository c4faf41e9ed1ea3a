// Identifiers: UUID version 7 (RFC 9562 section 5.7), in order of creation within a process.
import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

export type NextId = () => string;

/** Bytes asked of the system at once: asking for each id anew is a large part of what taking a message in costs. */
const poolSize = 4096;
const pool = Buffer.alloc(poolSize);
let unused = poolSize;

/** A copy-free view of random bytes that nobody was given before; valid until the next call. */
function freshBytes(count: number): Buffer {
  if (unused + count > poolSize) {
    randomFillSync(pool);
    unused = 0;
  }
  unused += count;
  return pool.subarray(unused - count, unused);
}

/** Ids of one millisecond count up in the 12 bits after the time, so that order of ids is order of creation. */
export function createIdSource(clock: Clock): NextId {
  let last = 0;
  let counter = 0;
  return () => {
    const now = clock.now();
    if (now > last) {
      last = now;
      counter = freshBytes(1)[0]!;
    } else {
      counter++;
      if (counter > 0xfff) {
        last++;
        counter = 0;
      }
    }
    const time = last.toString(16).padStart(12, '0');
    const tail = freshBytes(8);
    tail[0] = (tail[0]! & 0x3f) | 0x80;
    const hex = tail.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${hex.slice(0, 4)}-${hex.slice(4)}`;
  };
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lower-case form, as the server gives ids out. */
export function isUuid(text: string | undefined): text is string {
  return text !== undefined && uuidForm.test(text);
}
