// Sort orders of query values: text by code point, date-times by instant.

/** Compares two texts by Unicode code point, as PostgreSQL's collation "C" does with UTF-8. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // Surrogates encode code points above all other UTF-16 units.
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const dateTimeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970 of a complete ISO 8601 date-time with an offset; undefined for any other text. */
export function parseInstant(text: string): number | undefined {
  if (text.length < 17 || text.length > 35 || !dateTimeShape.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
