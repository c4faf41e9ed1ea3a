// Decides what happens with pasted text before it reaches the remote side.

/** Characters; longer text belongs in a file. */
export const maxPasteLength = 256 * 1024;

export type PasteDecision =
  | { kind: 'paste'; text: string }
  /** A line with its break, or several: a shell would run them at once. */
  | { kind: 'ask'; text: string; lines: string[] }
  | { kind: 'too-long' };

export function checkPaste(pasted: string): PasteDecision {
  if (pasted.length > maxPasteLength) return { kind: 'too-long' };
  // Control characters could end a bracketed paste, or be taken for keys.
  const text = pasted.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '');
  if (!/[\r\n]/.test(text)) return { kind: 'paste', text };
  const lines = text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/);
  return { kind: 'ask', text, lines };
}
