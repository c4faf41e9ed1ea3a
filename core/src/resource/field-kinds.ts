// Groups of field kinds by how their values are written as text.
import type { FieldKind } from './field.ts';

/** Kinds whose values are written as numbers. */
export const numberKinds: ReadonlySet<FieldKind> = new Set(['integer', 'number', 'seconds', 'bytes']);

/** Kinds whose value is the text itself, except secrets, which are never written to files. */
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
