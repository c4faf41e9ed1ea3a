// Upper and lower case of email addresses, one character at a time as the database's `lower` treats them.

/** One text for all spellings by which the database finds the same account. */
export function foldEmailCase(email: string): string {
  return Array.from(email, (character) => Array.from(character.toLowerCase())[0]).join('');
}

/**
 * Whether the lower case of a letter outside ASCII is an ASCII one (`İ` and the Kelvin sign): mail for such an address
 * reaches somebody else than the account that the database finds by it.
 */
export function imitatesAscii(email: string): boolean {
  return Array.from(email).some((character) => character > '\u007f' && foldEmailCase(character) <= '\u007f');
}
