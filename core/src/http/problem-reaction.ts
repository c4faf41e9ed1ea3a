// Decides how a client reacts to a failed call, as data for the client to execute.
import { problemText } from '../format/problem-text.ts';
import { Problem } from './problem.ts';

export interface ReactionOptions {
  /** false: show a toast for a 403 or 404 instead of navigating. */
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

/** The reaction to any error thrown by a call; none for a cancelled request or an error without text. */
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

/** `error-detail` is only set for the IP restriction; other details are not exposed in the URL. */
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
