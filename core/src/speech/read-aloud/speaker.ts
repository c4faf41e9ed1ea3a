// What a language says for the things that texts of operations contain.

export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

export interface ClockTime {
  hour: number;
  minute: number;
  /** Undefined if the text has none. */
  second: number | undefined;
  /** Minutes ahead of UTC; undefined if the text has no time zone. */
  offset: number | undefined;
}

export interface Quantity {
  isNegative: boolean;
  /** Digits before the point, without separators. */
  whole: string;
  /** Digits after the point; empty without one. */
  fraction: string;
}

export interface Speaker {
  /** Characters that remain in the spoken text; all others become pauses. */
  silent: RegExp;
  /** Written between the spoken text of things and words. */
  gap: string;
  digits(text: string): string;
  number(quantity: Quantity): string;
  /** `unit` is a key of `units`. */
  amount(quantity: Quantity, unit: string): string;
  units: Readonly<Record<string, unknown>>;
  /** Letters, read one by one. */
  letters(text: string): string;
  /** A word of Latin letters. */
  word(text: string): string;
  date(date: CalendarDate): string;
  time(time: ClockTime): string;
  /** Parts of a number that are separated by points, such as those of a version. */
  version(parts: readonly string[]): string;
  /** Groups of a telephone number. */
  phone(groups: readonly string[], isInternational: boolean): string;
  dot: string;
  colon: string;
  at: string;
  dash: string;
  underscore: string;
  doubleColon: string;
  prefixLength(bits: string): string;
  port(port: string): string;
  /** A comparison, `>=` for example, with a number. */
  compare(operator: string, amount: string): string;
  symbols: Readonly<Record<string, string>>;
  /** Replaces line breaks. */
  stop: string;
  /** Replaces brackets and separators. */
  pause: string;
}
