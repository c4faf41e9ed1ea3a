// Which resource's id a reference is.
import type { FieldMeta } from './field.ts';

/** The resource that a value beside the reference names, else the reference's own. */
export function referenceTarget({ resource, resourceBy }: FieldMeta, beside: object): string | undefined {
  const named = resourceBy && (beside as Record<string, unknown>)[resourceBy];
  return typeof named === 'string' && named !== '' ? named : resource;
}
