// Frame markers (MS-RDPBCGR 2.2.9.2.3) and their acknowledgement (MS-RDPRFX 2.2.3.1): a client acknowledges the end of a
// frame after it has drawn everything before it.

export function encodeFrameEnd(frame: number): Uint8Array {
  // A fast-path frame with one surface command: marker, end.
  const bytes = Uint8Array.of(0, 13, 4, 8, 0, 4, 0, 1, 0, 0, 0, 0, 0);
  new DataView(bytes.buffer).setUint32(9, frame, true);
  return bytes;
}

const acknowledge = 56;

/** Number of the frame; null for what is no acknowledgement. */
export function acknowledgedFrame(sent: Uint8Array): number | null {
  if (sent[0] !== 3 || sent.at(-8) !== acknowledge) return null;
  return new DataView(sent.buffer, sent.byteOffset).getUint32(sent.length - 4, true);
}
