// Calendar date validation.

/** YYYY-MM-DD, a date that exists in the Gregorian calendar. */
export function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return found !== null && dateExists(Number(found[1]), Number(found[2]), Number(found[3]));
}

/** The same in the years 1 to 9999, which a database can store. */
export function isStorableDate(text: string): boolean {
  return isDate(text) && !text.startsWith('0000');
}

/** Whether the month, counted from 1, has this day. */
export function dateExists(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}
