import { Problem } from './problem.ts';

/** For the `catch` of a call: null for a not-found problem; rethrows any other failure. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof Problem && error.kind === 'not-found') return null;
  throw error;
}
