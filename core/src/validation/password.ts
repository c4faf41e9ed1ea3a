// Password validation.

/** Characters of a new password. */
export const passwordLimits = { shortest: 12, longest: 256 };

/** At least one letter, one digit and one symbol; a space is not a symbol. */
export function isPassword(text: string): boolean {
  return /\p{L}/u.test(text) && /\p{Nd}/u.test(text) && /[\p{P}\p{S}]/u.test(text);
}
