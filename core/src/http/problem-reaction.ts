// What a face does about a failed call (spec section 8), as data: the face only carries it out.
import { problemText } from '../format/problem-text.ts';
import { Problem } from './problem.ts';

export interface ReactionOptions {
  /** false: a 403 or 404 stays on the screen that asked, as a toast. */
  redirect?: boolean;
  /** false: no toast. */
  alert?: boolean;
}

export type ProblemReaction =
  | { kind: 'sign-in' }
  | { kind: 'go'; to: string }
  /** Reasons by the dotted path of their field. */
  | { kind: 'fields'; fields: Map<string, string[]> }
  | { kind: 'toast'; text: string }
  | { kind: 'none' };

/** The reaction to anything thrown by a call. A cancelled request and an error without a text give none. */
export function reactionToError(error: unknown, options: ReactionOptions = {}): ProblemReaction {
  const { redirect = true, alert = true } = options;
  if (error instanceof Problem) {
    if (error.reaction === 'sign-in') return { kind: 'sign-in' };
    if (error.reaction === 'fields') return { kind: 'fields', fields: reasonsByField(error) };
    if (redirect && error.reaction === 'forbidden-page') return { kind: 'go', to: forbiddenPath(error) };
    if (redirect && error.reaction === 'not-found-page') return { kind: 'go', to: '/404' };
  }
  const text = problemText(error);
  return alert && text !== '' ? { kind: 'toast', text } : { kind: 'none' };
}

/** `error-detail` tells only of the IP restriction; other details stay where they are. */
function forbiddenPath(problem: Problem): string {
  const query = new URLSearchParams({ 'error-type': problem.type });
  if (problem.ipBlocked && problem.detail) query.set('error-detail', problem.detail);
  return `/403?${query}`;
}

function reasonsByField(problem: Problem): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { name, reason } of problem.invalidParams) {
    fields.set(name, [...(fields.get(name) ?? []), reason]);
  }
  return fields;
}
