// Text of others made harmless: what could steer a terminal, or turn the reading direction around, becomes visible.

/** C0 and C1 controls, DEL, line and paragraph separators, and the controls of reading direction. */
const controlCharacters = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** For one line on a terminal: breaks and tabs become spaces, other controls are written out as `\x1b` or `\u202e`. */
export function cleanLine(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, ' ').replace(controlCharacters, escapeCharacter);
}

/** For text of several lines: line breaks stay, tabs become two spaces. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(controlCharacters, (character) => (character === '\n' ? '\n' : escapeCharacter(character)));
}

/** For a field between tabs: nothing is lost, since backslash, tab and breaks are written as `\\ \t \n \r`. */
export function cleanField(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\t/g, '\\t')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(controlCharacters, escapeCharacter);
}

/** Like JSON.stringify, but what JSON leaves bare and a terminal obeys is escaped too. */
export function cleanJson(value: unknown, indent?: number): string {
  return escapeForJson(JSON.stringify(value, null, indent));
}

/** What a terminal obeys as `\u001b`; line breaks stay. */
export function escapeForJson(text: string): string {
  return text.replace(controlCharacters, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** There is something else than line breaks that a terminal would obey. */
export function hasControlCharacters(text: string): boolean {
  return text.replaceAll('\n', '').search(controlCharacters) >= 0;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}
