// Decrypts log parts in the browser, in slices that leave time for the page.
import { Decrypter } from 'age-encryption';

/** Longest work before the page gets its turn, in milliseconds. */
const sliceMs = 12;

export type DecryptedPart =
  | { state: 'complete'; text: string }
  /** The end is missing, or altered: `text` is what could be read before. */
  | { state: 'damaged'; text: string }
  | { state: 'wrong-key' };

/** The first secret key of a file written by `age-keygen`; null without one. */
export function findIdentity(text: string): string | null {
  return /^AGE-SECRET-KEY-1[0-9A-Z]+$/im.exec(text)?.[0].toUpperCase() ?? null;
}

export async function decryptLog(
  encrypted: ReadableStream<Uint8Array>,
  identity: string,
  signal: AbortSignal,
): Promise<DecryptedPart> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  // A character may be split over two chunks.
  const decoder = new TextDecoder();
  let text = '';
  let isKeyRight = false;
  try {
    const reader = (await decrypter.decrypt(encrypted)).getReader();
    isKeyRight = true;
    let sliceEnd = performance.now() + sliceMs;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { state: 'complete', text: text + decoder.decode() };
      text += decoder.decode(value, { stream: true });
      signal.throwIfAborted();
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TypeError) throw error;
    return isKeyRight ? { state: 'damaged', text } : { state: 'wrong-key' };
  }
}
