// Text of a mail made fit to be kept and shown.

/** Without what no store keeps, and lines ending as everywhere else. */
export function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').toWellFormed();
}
