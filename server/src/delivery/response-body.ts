/** Reads the answer of a target whose answers may be endless, slow, broken or in any encoding. */

export interface ResponseBody {
  text: string;
  /** Whether more than the limit came; the rest was dropped with the connection. */
  tooLong: boolean;
}

/** Reads up to `limit` bytes. An answer that breaks off counts as far as it came: the status has already been given. */
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
    // Cut by the deadline or by the target.
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
