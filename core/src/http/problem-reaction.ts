// Decides where the console goes after a call that failed.
import type { Problem } from './problem.ts';

export type ProblemReaction =
  | { kind: 'sign-in' }
  | { kind: 'go'; to: string }
  /** The page shows the problem itself. */
  | { kind: 'stay' };

export function reactionToProblem(problem: Problem): ProblemReaction {
  switch (problem.reaction) {
    case 'sign-in':
      return { kind: 'sign-in' };
    case 'forbidden-page':
      return { kind: 'go', to: forbiddenPath(problem) };
    case 'not-found-page':
      return { kind: 'go', to: '/404' };
    default:
      return { kind: 'stay' };
  }
}

/** `error-detail` is only set for the IP restriction; other details are not exposed in the URL. */
function forbiddenPath(problem: Problem): string {
  const query = new URLSearchParams({ 'error-type': problem.type });
  if (problem.ipBlocked && problem.detail) query.set('error-detail', problem.detail);
  return `/403?${query}`;
}
