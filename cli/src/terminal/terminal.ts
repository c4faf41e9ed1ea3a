// The terminal as commands see it: where data and talk go, how wide and colourful it is, whose language it speaks.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { applyStyle, type Style } from './style.ts';

/** One output: stdout for data, stderr for talk. */
export interface Sink {
  write(text: string): void;
  /** A person is looking at it. */
  isTTY: boolean;
  paint(style: Style, text: string): string;
}

export interface Terminal {
  out: Sink;
  err: Sink;
  stdin: NodeJS.ReadStream;
  env: NodeJS.ProcessEnv;
  language: Language;
  t: Translate;
  /** Columns of stdout. */
  columns: number;
  /** Questions can be asked and answered here. */
  canPrompt: boolean;
  /** Problems are told as JSON, because data was asked for as JSON. */
  jsonErrors: boolean;
  /** The profile named on the command line. */
  profile: string | undefined;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
  now(): number;
}

/** The parts of `process` that a terminal is made of. */
export type Host = Pick<NodeJS.Process, 'argv' | 'env' | 'stdin' | 'stdout' | 'stderr'>;

export function createTerminal(
  host: Host,
  settings: Pick<Terminal, 'language' | 't' | 'jsonErrors' | 'profile' | 'signal'>,
): Terminal {
  return {
    ...settings,
    out: createSink(host.stdout, host.env),
    err: createSink(host.stderr, host.env),
    stdin: host.stdin,
    env: host.env,
    columns: terminalColumns(host),
    canPrompt: host.stdin.isTTY === true && host.stderr.isTTY === true,
    now: Date.now,
  };
}

/** Says one line to the person. */
export function printMessage(terminal: Terminal, text: string): void {
  terminal.err.write(`${text}\n`);
}

/** `COLUMNS` counts first; some terminals report 0 columns. */
export function terminalColumns({ env, stdout }: Pick<Host, 'env' | 'stdout'>): number {
  const requestedColumns = Number(env.COLUMNS);
  return Number.isInteger(requestedColumns) && requestedColumns > 0 ? requestedColumns : stdout.columns || 80;
}

/** https://no-color.org and the habits of FORCE_COLOR. */
export function supportsColour(env: NodeJS.ProcessEnv, live: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return live && env.TERM !== 'dumb';
}

function createSink(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Sink {
  const isTTY = stream.isTTY === true;
  const colour = supportsColour(env, isTTY);
  return {
    isTTY,
    write: (text) => void stream.write(text),
    paint: (style, text) => (colour ? applyStyle(style, text) : text),
  };
}
