// What a failed command says and the code it ends with.
import { Problem } from '@yagura/core/http/problem';
import { cleanJson, cleanText } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { flagOf } from './flag-name.ts';
import { UsageError } from './usage-error.ts';

/** Exit codes beside those in the table of problems. */
export const exitCodes = { ok: 0, problem: 1, usage: 2, running: 8, interrupted: 130 } as const;

/** The command did what it could, but what it waited for is not over. */
export class StillRunningError extends Error {}
/** A person said no. */
export class CancelledError extends Error {}

/** The command has done what it was asked for, and its exit code says more. Nothing is said. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number) {
    super('ended');
    this.code = code;
  }
}

/** The command has run, and what it found is no good. The word is a key of the dictionary. Exit code 1. */
export class CommandError extends Error {
  readonly params: Record<string, unknown>;

  constructor(messageKey: string, params: Record<string, unknown> = {}) {
    super(messageKey);
    this.params = params;
  }
}

/** Tells the person (or the program, as one line of JSON) what went wrong, and gives the exit code. */
export function reportError(terminal: Terminal, error: unknown): number {
  if (terminal.signal.aborted) return exitCodes.interrupted;
  if (error instanceof ExitError) return error.code;
  // Who asks which fields there are is a person, whatever was asked for.
  if (terminal.jsonErrors && !(error instanceof UsageError && error.messageKey === 'cli.usage.json-fields')) {
    printMessage(terminal, cleanJson(toProblemJson(terminal, error)));
    return exitCodeOf(error);
  }
  for (const line of errorMessages(terminal, error)) printMessage(terminal, cleanText(line));
  if (terminal.env.YAGURA_DEBUG && error instanceof Error) printMessage(terminal, String(error.stack));
  return exitCodeOf(error);
}

/** The sentences for a person, the first one being the head. */
export function errorMessages(terminal: Terminal, error: unknown): string[] {
  const { t } = terminal;
  if (error instanceof UsageError) return [t(error.messageKey, error.params)];
  if (error instanceof CommandError) return [t(error.message, error.params)];
  if (error instanceof StillRunningError || error instanceof CancelledError) return [t(error.message)];
  if (!(error instanceof Problem)) {
    return [t('cli.unexpected', { reason: error instanceof Error ? error.message : String(error) })];
  }
  const sentence = t(`problem.${error.kind}`);
  const head = error.detail ? `${sentence.replace(/[.。]$/, '')}: ${error.detail}` : sentence;
  return [
    error.invalidParams.length > 0 && error.kind === 'invalid' ? t('cli.invalid') : head,
    ...error.invalidParams.map(({ name, reason }) => `  ${flagOf(name)}: ${reason}`),
    ...(error.kind === 'sign-in-required' ? [t('cli.sign-in-hint')] : []),
    ...(error.retryAfter ? [t('cli.retry-after', { seconds: error.retryAfter })] : []),
  ];
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
