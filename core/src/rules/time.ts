// Times of day as text.

/** HH:MM or HH:MM:SS; 24:00 and 24:00:00 stand for the end of the day. */
export function isTime(text: string): boolean {
  return /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?|24:00(?::00)?)$/.test(text);
}
