// Numbers as text.

const longest = 400;

/** Digits with an optional minus and decimals behind a dot. */
export function isNumberText(text: string): boolean {
  return text.length <= longest && /^-?\d+(?:\.\d+)?$/.test(text);
}

/** Digits with an optional minus. */
export function isIntegerText(text: string): boolean {
  return text.length <= longest && /^-?\d+$/.test(text);
}

/** A number as JSON writes it (RFC 8259, 6) that a double can hold. */
export function isJsonNumberText(text: string): boolean {
  if (text.length > longest || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return false;
  return Number.isFinite(Number(text));
}

/** Empty, or an integer of at least `min`. */
export function isEmptyOrInteger(text: string, min: number): boolean {
  return text === '' || (isIntegerText(text) && Number(text) >= min);
}
