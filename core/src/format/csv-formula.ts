// Keeps text in CSV files from being evaluated as a formula when a spreadsheet program opens the file.

/**
 * How text begins that such a program evaluates. Japanese ones also take the full-width signs, and some programs drop
 * control characters before the first sign.
 */
const formula = /^[=+\-@＝＋－＠\0\t\n\r]/;

/** Whether a spreadsheet program would evaluate the text. */
export function isFormula(text: string): boolean {
  return formula.test(text);
}

/** Prefixes text that a spreadsheet program would evaluate with an apostrophe. */
export function neutralizeFormula(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}
