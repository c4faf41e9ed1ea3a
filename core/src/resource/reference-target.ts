// Determines the resource that a reference points to.
import type { FieldMeta } from './field.ts';

/** The resource named by the sibling field, otherwise the reference's own. */
export function referenceTarget({ resource, resourceBy }: FieldMeta, beside: object): string | undefined {
  const named = resourceBy && (beside as Record<string, unknown>)[resourceBy];
  return typeof named === 'string' && named !== '' ? named : resource;
}
