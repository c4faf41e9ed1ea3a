// Error messages and exit codes of failed commands.

import { JsonError } from '@yagura/core/http/exact-json';
import { Problem } from '@yagura/core/http/problem';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { cleanJson, cleanText } from '../terminal/clean.ts';
import { fileErrorText, isFileError } from '../terminal/file-error-text.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { flagOf } from './flag-name.ts';
import { interruptedExitCode } from './interruption.ts';
import { UsageError } from './usage-error.ts';

/** Exit codes besides those in the table of problems and those of signals. */
export const exitCodes = { ok: 0, problem: 1, usage: 2, running: 8 } as const;

/** An error whose message is a translation key. */
class KeyedError extends Error {
  readonly messageKey: MessageKey;

  constructor(messageKey: MessageKey) {
    super(messageKey);
    this.messageKey = messageKey;
  }
}

/** With this flag, 2 means that there are changes; what otherwise exits with 2 exits with 1. */
export const detailedExitCodeFlag = '--detailed-exitcode';

/** The command succeeded so far, but the operation it waited for has not finished. */
export class StillRunningError extends KeyedError {}
/** The user declined the confirmation. */
export class CancelledError extends KeyedError {}

/** The command has finished and only its exit code matters; no message is printed. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number) {
    super('ended');
    this.code = code;
  }
}

/** The command ran and found a problem. The message is a translation key. Exit code 1. */
export class CommandError extends Error {
  readonly messageKey: MessageKey;
  readonly params: Record<string, unknown>;

  constructor(messageKey: MessageKey, params: Record<string, unknown> = {}) {
    super(messageKey);
    this.messageKey = messageKey;
    this.params = params;
  }
}

/** No item of the resource has this name; `similar` are names that were perhaps meant. */
export class UnknownItemError extends Problem {
  readonly similar: readonly string[];

  constructor(resource: string, text: string, similar: readonly string[] = []) {
    super('not-found', { detail: `${resource} "${text}"` });
    this.similar = similar;
  }
}

/** A refusal whose fields were not given as flags, but in a file or a form: they are named by their paths. */
class FieldPathProblem extends Problem {
  constructor(refusal: Problem) {
    super(refusal.kind, { ...refusal, cause: refusal });
  }
}

/** A refusal whose fields are to be named by their paths; other errors are returned unchanged. */
export function withFieldPaths(error: unknown): unknown {
  return error instanceof Problem && error.invalidParams.length > 0 ? new FieldPathProblem(error) : error;
}

/** Prints the error as text, or as one line of JSON for programs, and returns the exit code. */
export function reportError(terminal: Terminal, error: unknown): number {
  if (terminal.signal.aborted) return interruptedExitCode(terminal.signal);
  if (error instanceof ExitError) return error.code;
  // Listing the available fields is for users, whatever the output format.
  if (terminal.jsonErrors && !(error instanceof UsageError && error.messageKey === 'cli.usage.json-fields')) {
    printMessage(terminal, cleanJson(toProblemJson(terminal, error)));
    return exitCodeOf(error);
  }
  for (const line of errorMessages(terminal, error)) printMessage(terminal, cleanText(line));
  if (terminal.env.YAGURA_DEBUG && error instanceof Error) printMessage(terminal, String(error.stack));
  return exitCodeOf(error);
}

/** Message lines for a terminal, the summary first. */
export function errorMessages(terminal: Terminal, error: unknown): string[] {
  const { t } = terminal;
  // The hint at the end of a message may be empty.
  if (error instanceof UsageError || error instanceof CommandError)
    return [t(error.messageKey, translateReason(terminal, error.params)).trimEnd()];
  if (error instanceof StillRunningError || error instanceof CancelledError) return [t(error.messageKey)];
  if (isFileError(error)) return [t('cli.file-error', { path: error.path, reason: fileErrorText(error, t) })];
  if (!(error instanceof Problem)) {
    return [t('cli.unexpected', { reason: error instanceof Error ? error.message : String(error) })];
  }
  const sentence = t(`problem.${error.kind}`);
  const head = error.detail ? `${sentence.replace(/[.。]$/, '')}: ${error.detail}` : sentence;
  // A conflict of fields, such as a name in use, is a matter of the input as well.
  const isInput = error.kind === 'invalid' || (error.kind === 'conflict' && !error.detail);
  const label = (name: string) => (error instanceof FieldPathProblem ? name : flagOf(name));
  return [
    error.invalidParams.length > 0 && isInput ? t('cli.invalid') : head,
    // The whole body has no name.
    ...error.invalidParams.map(({ name, reason }) => (name ? `  ${label(name)}: ${reason}` : `  ${reason}`)),
    ...(error instanceof UnknownItemError && error.similar.length > 0
      ? [t('cli.usage.did-you-mean', { words: error.similar.join(', ') })]
      : []),
    ...(error.kind === 'sign-in-required' ? [t(signInHint(terminal))] : []),
    ...(error.ipBlocked ? [t('cli.doctor.refused-remedy')] : []),
    ...(error.retryAfter ? [t('cli.retry-after', { seconds: error.retryAfter })] : []),
  ];
}

/** A reason that is an error is one of JSON or of the file system, whose own message is English. */
function translateReason({ t }: Terminal, params: Record<string, unknown>): Record<string, unknown> {
  const { reason } = params;
  if (reason instanceof JsonError) return { ...params, reason: t(reason.fault.word, reason.fault.params) };
  return reason instanceof Error ? { ...params, reason: fileErrorText(reason, t) } : params;
}

function toProblemJson(terminal: Terminal, error: unknown): unknown {
  if (error instanceof Problem) return error;
  const kind = error instanceof UsageError ? 'usage' : 'command';
  return { type: `urn:yagura:problem:${kind}`, title: errorMessages(terminal, error)[0] };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Problem) return error.exitCode;
  if (error instanceof UsageError || error instanceof CancelledError) return exitCodes.usage;
  if (error instanceof StillRunningError) return exitCodes.running;
  return exitCodes.problem;
}

/** Message key of what to do when the space refuses the credential. */
export const signInHint = ({ env }: Terminal): MessageKey =>
  env.YAGURA_TOKEN ? 'cli.token-hint' : 'cli.sign-in-hint';
