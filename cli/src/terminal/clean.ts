// Escapes terminal control and bidirectional formatting characters in untrusted text.

/** C0 and C1 controls, DEL, line and paragraph separators, and bidirectional formatting characters. */
const controlCharacters = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * For a single line: line breaks and tabs become spaces, other controls are escaped as `\x1b` or `\u202e`.
 */
export function cleanLine(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, ' ').replace(controlCharacters, escapeCharacter);
}

/** For multi-line text: line breaks are kept, tabs become two spaces. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(controlCharacters, (character) => (character === '\n' ? '\n' : escapeCharacter(character)));
}

/** `cleanText` of UTF-8 that arrives in pieces. */
export async function* cleanContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  // The first character of a line break whose second one may follow.
  let held = '';
  for await (const piece of content) {
    const text = held + decoder.decode(piece, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    yield encoder.encode(cleanText(text.slice(0, text.length - held.length)));
  }
  yield encoder.encode(cleanText(held + decoder.decode()));
}

/** For a tab-separated field, lossless: backslash, tab and line breaks are escaped as `\\ \t \n \r`. */
export function cleanField(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\t/g, '\\t')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(controlCharacters, escapeCharacter);
}

/** JSON.stringify that also escapes the terminal controls that JSON leaves unescaped. */
export function cleanJson(value: unknown, indent?: number): string {
  return escapeForJson(JSON.stringify(value, null, indent));
}

/** Escapes terminal controls as `\u001b`; line breaks are kept. */
export function escapeForJson(text: string): string {
  return text.replace(controlCharacters, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether the text contains terminal controls other than line breaks. */
export function hasControlCharacters(text: string): boolean {
  return text.replaceAll('\n', '').search(controlCharacters) >= 0;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}
