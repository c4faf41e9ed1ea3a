// Decodes MIME content transfer encodings (RFC 2045, section 6); bodies in unknown ones are left unchanged.

/** Decodes at most `most` bytes of a body; the result says whether it was longer. */
export function decodeBody(
  body: Buffer,
  encoding: string,
  max = Number.POSITIVE_INFINITY,
): { bytes: Buffer; isCut: boolean } {
  if (encoding === 'base64') {
    // Four characters encode three bytes; line breaks add to that.
    const enough = body.subarray(0, Math.ceil(Math.min(max, body.length) * 1.5) + 1024);
    const bytes = Buffer.from(enough.toString('latin1'), 'base64');
    return { bytes: bytes.subarray(0, max), isCut: bytes.length > max || enough.length < body.length };
  }
  if (encoding === 'quoted-printable') {
    const enough = body.subarray(0, Math.min(max, body.length) * 4);
    const bytes = decodeQuotedPrintable(enough);
    return { bytes: bytes.subarray(0, max), isCut: bytes.length > max || enough.length < body.length };
  }
  return { bytes: body.subarray(0, max), isCut: body.length > max };
}

/** Returns the decoded size of a body, without decoding it where possible. */
export function decodedSize(body: Buffer, encoding: string): number {
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body).length;
  if (encoding !== 'base64') return body.length;
  let characters = 0;
  // Loop by index: an iterator takes ten times as long, and there may be 30 MB.
  for (let at = 0; at < body.length; at++) characters += isBase64[body[at]!]!;
  return Math.floor((characters * 3) / 4);
}

const isBase64 = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
  isBase64[character.charCodeAt(0)] = 1;
}

/** Keeps invalid escapes; removes soft line breaks and trailing whitespace of lines. */
export function decodeQuotedPrintable(body: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(body.length);
  let end = 0;
  /** End of the output without trailing whitespace. */
  let solid = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === 0x3d) {
      const high = digit(body[at + 1]);
      const low = digit(body[at + 2]);
      if (high >= 0 && low >= 0) {
        bytes[end++] = high * 16 + low;
        solid = end;
        at += 2;
        continue;
      }
      const line = softBreak(body, at + 1);
      if (line > 0) {
        solid = end;
        at = line;
        continue;
      }
    }
    const isLineEnd = byte === 0x0a || (byte === 0x0d && body[at + 1] === 0x0a);
    if (isLineEnd) end = solid;
    bytes[end++] = byte;
    if (isLineEnd || (byte !== 0x20 && byte !== 0x09)) solid = end;
  }
  return bytes.subarray(0, end);
}

/** Index of the line feed of a soft line break whose `=` precedes `at`; 0 if there is none. */
function softBreak(body: Uint8Array, at: number): number {
  let end = at;
  while (body[end] === 0x20 || body[end] === 0x09) end++;
  if (body[end] === 0x0d) end++;
  if (body[end] === 0x0a) return end;
  return end >= body.length ? end : 0;
}

function digit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
