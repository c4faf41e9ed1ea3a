// Makes the text of a mail safe to store and display.

/** Removes characters that cannot be stored and normalizes line endings. */
export function cleanText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
  return lines.replaceAll('\0', '\ufffd').toWellFormed();
}
