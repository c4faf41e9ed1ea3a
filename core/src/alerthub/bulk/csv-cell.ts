// Converts values to and from the text of a file cell.
import { isFormula } from '../../format/csv-formula.ts';
import { parseExactJson, printExactJson } from '../../http/exact-json.ts';
import type { FieldMeta } from '../../resource/field.ts';
import { kindTraits } from '../../resource/field-kinds.ts';
import type { Violation } from '../../validation/violation.ts';

/**
 * Nested values are written as JSON, null as an empty cell. With `raw`, text that a spreadsheet program would
 * evaluate is not escaped, unless reading the cell would change it.
 */
export function writeCell(field: FieldMeta, value: unknown, raw = false): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' && kindTraits[field.kind].written === 'text')
    return (raw ? unescapeFormula(value) === value : !needsEscape(value)) ? value : `'${value}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return printExactJson(value);
}

/**
 * Numbers directly under `exactFields` keep every digit. `undefined` leaves the field at its default. Does
 * not validate: the resource's schema does.
 */
export function readCell(
  field: FieldMeta,
  text: string,
  exactFields: readonly string[] = [],
): { value: unknown } | { refusal: Violation } {
  if (text === '') return { value: emptyValue(field) };
  if (field.kind === 'reference') {
    const key = readKey(text);
    // Resources that are not imported or exported are referenced by id.
    return { value: key ?? text };
  }
  if (kindTraits[field.kind].written === 'text') return { value: unescapeFormula(text) };
  if (kindTraits[field.kind].written === 'number') {
    const value = Number(text);
    return /^-?\d+(\.\d+)?$/.test(text) && Number.isFinite(value)
      ? { value }
      : { refusal: { word: 'rule.number' } };
  }
  if (field.kind === 'boolean') {
    const flag = { true: true, false: false }[text.toLowerCase()];
    return flag === undefined ? { refusal: { word: 'rule.boolean' } } : { value: flag };
  }
  try {
    return { value: exactFields.length > 0 ? parseExactJson(text, exactFields) : JSON.parse(text) };
  } catch {
    return { refusal: { word: 'rule.json' } };
  }
}

/** Text that a spreadsheet program would read as a formula, or as an apostrophe that escapes one. */
const needsEscape = (text: string) => text.startsWith("'") || isFormula(text);

/** Removes the apostrophe that escapes a formula. */
function unescapeFormula(cell: string): string {
  return cell[0] === "'" && needsEscape(cell.slice(1)) ? cell.slice(1) : cell;
}

/** The store's largest integer. */
const maxKey = 2 ** 31 - 1;

/** Reads a positive integer as used in `$key` and references; undefined for anything else. */
export function readKey(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxKey ? Number(text) : undefined;
}

function emptyValue(field: FieldMeta): unknown {
  if (field.nullable) return null;
  if (!field.required) return undefined;
  return kindTraits[field.kind].written === 'text' ? '' : undefined;
}
