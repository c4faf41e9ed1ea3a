// Keeps text in CSV files from being evaluated as a formula when a spreadsheet program opens the file.

const formula = /^[=+\-@\t\r]/;

/** Prefixes text that a spreadsheet program would evaluate with an apostrophe. */
export function neutralizeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
