// Tells settings of a space from items.
import type { AnyResource } from './define-resource.ts';

/** Whether there is one item, without a name: the field by which it is addressed is one of its settings. */
export function isNameless({
  singleton,
  title,
  id,
}: Pick<AnyResource, 'singleton' | 'title' | 'id'>): boolean {
  return singleton && title === id;
}
