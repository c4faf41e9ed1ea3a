import { Problem } from './problem.ts';

/** For the `catch` of a call: null when the thing is not there; any other failure is thrown again. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof Problem && error.kind === 'not-found') return null;
  throw error;
}
