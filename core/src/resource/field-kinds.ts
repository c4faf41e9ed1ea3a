// What kinds of fields have in common, for whoever reads and writes their values as text.
import type { FieldKind } from './field.ts';

/** Kinds whose values are written as numbers. */
export const numberKinds: ReadonlySet<FieldKind> = new Set(['integer', 'number', 'seconds', 'bytes']);

/** Kinds whose value is the text itself. Secrets are texts too, but travel in no file. */
export const textKinds: ReadonlySet<FieldKind> = new Set([
  'id',
  'text',
  'long-text',
  'template',
  'email',
  'url',
  'choice',
  'date-time',
  'reference',
  'rrule',
  'time-zone',
]);
