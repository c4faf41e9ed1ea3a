// Descriptions of fields for tests.
import type { FieldMeta } from '@yagura/core/resource/field';

/** A field that is neither required nor nullable, unless `more` says so. */
export const optionalField = (kind: FieldMeta['kind'], more: Partial<FieldMeta> = {}): FieldMeta => ({
  kind,
  required: false,
  nullable: false,
  ...more,
});
