/** Reads the response body of a target, which may be endless, slow, incomplete or in any encoding. */

export interface ResponseBody {
  text: string;
  /** Whether the limit was exceeded; the rest was discarded and the connection closed. */
  tooLong: boolean;
}

/**
 * Reads up to `limit` bytes. An incomplete body is used as far as it was received, since the status is
 * already known.
 */
export async function readResponseBody(
  body: AsyncIterable<Uint8Array>,
  answer: { contentType: string | undefined; encoded: boolean; limit: number },
): Promise<ResponseBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop destroys the stream and its connection.
      if (length > answer.limit) break;
    }
  } catch {
    // Aborted by the deadline or by the target.
  }
  const bytes = Buffer.concat(chunks).subarray(0, answer.limit);
  const text = answer.encoded ? '' : createDecoder(answer.contentType).decode(bytes);
  return { text, tooLong: length > answer.limit };
}

function createDecoder(contentType: string | undefined): TextDecoder {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
