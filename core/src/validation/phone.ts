// Phone number validation.

/** Starts with 0 and has 4 to 30 digits in all. */
export function isPhone(text: string): boolean {
  return /^0\d{3,29}$/.test(text);
}
