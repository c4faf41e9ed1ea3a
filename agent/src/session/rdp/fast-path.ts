// Fast-path frames (MS-RDPBCGR 2.2.8.1.2 and 2.2.9.1.2): pictures from the host, input from viewers.
import { ByteReader, malformed } from './byte-reader.ts';

export interface FastPathUpdate {
  isSurface: boolean;
  fragment: 'single' | 'last' | 'first' | 'next';
  data: Buffer;
}

const surfaceCommands = 4;
const fragments = ['single', 'last', 'first', 'next'] as const;
const compressed = 0x80;

function bodyOf(frame: Buffer): ByteReader {
  const reader = new ByteReader(frame);
  reader.take(1, 'fastpath.header');
  if (reader.u8('fastpath.length') >= 0x80) reader.take(1, 'fastpath.length');
  return reader;
}

/** Updates of a frame from the host. */
export function readUpdates(frame: Buffer): FastPathUpdate[] {
  const reader = bodyOf(frame);
  const updates: FastPathUpdate[] = [];
  while (reader.left > 0) {
    const header = reader.u8('fastpath.update');
    if ((header & 0xc0) === compressed) reader.take(1, 'fastpath.compression');
    const data = reader.take(reader.u16le('fastpath.size'), 'fastpath.size');
    const fragment = fragments[(header >> 4) & 3]!;
    updates.push({ isSurface: (header & 0x0f) === surfaceCommands, fragment, data });
  }
  return updates;
}

/** Bytes of each kind of input event after its first byte: key, mouse, extended mouse, locks, character. */
const eventLengths = [1, 6, 6, 0, 2];
const keyEvents = new Set([0, 4]);

/** Whether a viewer's frame has keys; throws for one with wrong lengths. */
export function hasKeys(frame: Buffer): boolean {
  const reader = bodyOf(frame);
  const count = (frame[0]! >> 2) & 0x0f || reader.u8('fastpath.count');
  let found = false;
  for (let index = 0; index < count; index += 1) {
    const code = reader.u8('fastpath.event') >> 5;
    const length = eventLengths[code];
    if (length === undefined) throw malformed('fastpath.event');
    reader.take(length, 'fastpath.event');
    found ||= keyEvents.has(code);
  }
  if (reader.left > 0) throw malformed('fastpath.count');
  return found;
}
