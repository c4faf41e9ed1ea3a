// What a failed command says and the code it ends with.
import { Problem } from '@yagura/core/http/problem';
import { cleanJson, cleanText } from './clean.ts';
import { flagOf } from './flag-name.ts';
import { say, type Terminal } from './terminal.ts';
import { Usage } from './usage.ts';

/** Exit codes beside those in the table of problems. */
export const exitCodes = { ok: 0, problem: 1, usage: 2, running: 8, interrupted: 130 } as const;

/** The command did what it could, but what it waited for is not over. */
export class StillRunning extends Error {}
/** A person said no. */
export class Cancelled extends Error {}

/** The command has done what it was asked for, and its exit code says more. Nothing is said. */
export class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super('ended');
    this.code = code;
  }
}

/** The command has run, and what it found is no good. The word is a key of the dictionary. Exit code 1. */
export class Failed extends Error {
  readonly params: Record<string, unknown>;

  constructor(word: string, params: Record<string, unknown> = {}) {
    super(word);
    this.params = params;
  }
}

/** Tells the person (or the program, as one line of JSON) what went wrong, and gives the exit code. */
export function reportError(terminal: Terminal, error: unknown): number {
  if (terminal.signal.aborted) return exitCodes.interrupted;
  if (error instanceof Ended) return error.code;
  // Who asks which fields there are is a person, whatever was asked for.
  if (terminal.machine && !(error instanceof Usage && error.word === 'cli.usage.json-fields')) {
    say(terminal, cleanJson(machineForm(terminal, error)));
    return codeOf(error);
  }
  for (const line of sentences(terminal, error)) say(terminal, cleanText(line));
  if (terminal.env.YAGURA_DEBUG && error instanceof Error) say(terminal, String(error.stack));
  return codeOf(error);
}

/** The sentences for a person, the first one being the head. */
export function sentences(terminal: Terminal, error: unknown): string[] {
  const { t } = terminal;
  if (error instanceof Usage) return [t(error.word, error.params)];
  if (error instanceof Failed) return [t(error.message, error.params)];
  if (error instanceof StillRunning || error instanceof Cancelled) return [t(error.message)];
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

function machineForm(terminal: Terminal, error: unknown): unknown {
  if (error instanceof Problem) return error;
  const kind = error instanceof Usage ? 'usage' : 'command';
  return { type: `urn:yagura:problem:${kind}`, title: sentences(terminal, error)[0] };
}

function codeOf(error: unknown): number {
  if (error instanceof Problem) return error.exitCode;
  if (error instanceof Usage || error instanceof Cancelled) return exitCodes.usage;
  if (error instanceof StillRunning) return exitCodes.running;
  return exitCodes.problem;
}
