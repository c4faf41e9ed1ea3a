// Identifiers: UUID version 7 (RFC 9562 section 5.7), in order of creation within a process.
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

export type NextId = () => string;

/** Ids of one millisecond count up in the 12 bits after the time, so that order of ids is order of creation. */
export function idSource(clock: Clock): NextId {
  let last = 0;
  let counter = 0;
  return () => {
    const now = clock.now();
    if (now > last) {
      last = now;
      counter = randomBytes(1)[0]!;
    } else {
      counter++;
      if (counter > 0xfff) {
        last++;
        counter = 0;
      }
    }
    const time = last.toString(16).padStart(12, '0');
    const tail = randomBytes(8);
    tail[0] = (tail[0]! & 0x3f) | 0x80;
    const hex = tail.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${hex.slice(0, 4)}-${hex.slice(4)}`;
  };
}
