// Tells errors that go away by themselves from faults.
import { Problem } from '@yagura/core/http/problem';
import { StoreUnavailable } from '../db/store-unavailable.ts';

/** Whether the same request may succeed later: nothing is at fault here, so that it is logged as a warning at most. */
export function isTemporary(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof Problem && error.kind === 'unavailable');
}
