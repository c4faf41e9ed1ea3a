// Text of a mail made fit to be kept and shown.

/** Without what no store keeps, and lines ending as everywhere else. */
export function cleanText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
  return lines.replaceAll('\0', '\ufffd').toWellFormed();
}
