// Compile error of rules, triggers and templates, with its path and its reason as data.
import type { z } from 'zod';
import type { Reason } from '../../decision-log.ts';
import { reason } from './decision-reason.ts';

/** `path` is the dotted path of the field in the saved item, e.g. `flow.steps.2.params.pattern`. */
export class FlowError extends Error {
  readonly path: string;
  readonly reason: Reason;

  constructor(path: string, why: Reason) {
    super(`${path}: ${why.word} ${JSON.stringify(why.params ?? {})}`);
    this.name = 'FlowError';
    this.path = path;
    this.reason = why;
  }

  /** The same error with its path prefixed. */
  withPathPrefix(prefix: string): FlowError {
    return new FlowError(this.path === '' ? prefix : `${prefix}.${this.path}`, this.reason);
  }
}

/**
 * Converts any error from compiling a stored item to a FlowError, so that an unexpected error fails that item
 * alone.
 */
export function toFlowError(error: unknown): FlowError {
  if (error instanceof FlowError) return error;
  const detail = error instanceof Error ? error.message.slice(0, 200) : String(error);
  return new FlowError('', reason('why.threw', { detail }));
}

/** Runs a compile step and prefixes the path of its FlowError. */
export function withErrorPath<T>(prefix: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw error instanceof FlowError ? error.withPathPrefix(prefix) : error;
  }
}

/** Parses parameters; the first issue is thrown as a FlowError naming the parameter. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const path = ['params', ...issue.path.map(String)];
  if (issue.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '');
  throw new FlowError(path.join('.'), issueReason(issue));
}

function issueReason(issue: z.core.$ZodIssue): Reason {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return reason('why.param.missing');
      return reason('why.param.type', { expected: issue.expected });
    case 'invalid_union':
      return reason(issue.input === undefined ? 'why.param.missing' : 'why.param.invalid');
    case 'invalid_value':
      if (issue.input === undefined) return reason('why.param.missing');
      return reason('why.param.choice', { options: issue.values.join(', ') });
    case 'unrecognized_keys':
      return reason('why.param.unknown');
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return reason('why.param.missing');
      return reason('why.param.tooSmall', { least: Number(issue.minimum) });
    case 'too_big':
      return reason('why.param.tooBig', { most: Number(issue.maximum) });
    case 'custom':
      return (issue.params?.reason as Reason | undefined) ?? reason('why.param.invalid');
    default:
      return reason('why.param.invalid');
  }
}
