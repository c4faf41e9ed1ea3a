// The terminal as seen by commands: streams, width, colors, language, signal.
import { once } from 'node:events';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { ClockSkew } from './clock-skew.ts';
import { applyStyle, type Style } from './style.ts';

/** An output stream: stdout for data, stderr for messages. */
export interface OutputStream {
  write(content: string | Uint8Array): void;
  /** Resolves when the stream takes more, so that content of any size is not held in memory. */
  writeAndDrain(content: Uint8Array): Promise<void>;
  /** Connected to a terminal. */
  isTTY: boolean;
  paint(style: Style, text: string): string;
}

export interface Terminal {
  out: OutputStream;
  err: OutputStream;
  stdin: NodeJS.ReadStream;
  env: NodeJS.ProcessEnv;
  language: Language;
  t: Translate;
  /** Columns of stdout. */
  columns: number;
  /** Prompts are possible. */
  canPrompt: boolean;
  /** Print problems as JSON because JSON output was requested. */
  jsonErrors: boolean;
  /** The profile selected on the command line. */
  profile: string | undefined;
  /** Aborts on Ctrl-C, SIGTERM and SIGHUP. */
  signal: AbortSignal;
  /** The time of this machine in milliseconds; see `serverNow` for ages of times of the space. */
  now(): number;
  clockSkew: ClockSkew;
}

/** The parts of `process` that a terminal is built from. */
export type CliProcess = Pick<NodeJS.Process, 'argv' | 'env' | 'stdin' | 'stdout' | 'stderr'>;

export function createTerminal(
  host: CliProcess,
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
    clockSkew: new ClockSkew(),
  };
}

/** Prints one line to stderr. */
export function printMessage(terminal: Terminal, text: string): void {
  terminal.err.write(`${text}\n`);
}

/** `COLUMNS` takes precedence; some terminals report 0 columns. */
export function terminalColumns({ env, stdout }: Pick<CliProcess, 'env' | 'stdout'>): number {
  const requestedColumns = Number(env.COLUMNS);
  return Number.isInteger(requestedColumns) && requestedColumns > 0 ? requestedColumns : stdout.columns || 80;
}

/** Follows https://no-color.org and FORCE_COLOR. */
export function supportsColour(env: NodeJS.ProcessEnv, live: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return live && env.TERM !== 'dumb';
}

function createSink(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): OutputStream {
  const isTTY = stream.isTTY === true;
  const colour = supportsColour(env, isTTY);
  return {
    isTTY,
    write: (content) => void stream.write(content),
    writeAndDrain: async (content) => {
      if (!stream.write(content)) await once(stream, 'drain');
    },
    paint: (style, text) => (colour ? applyStyle(style, text) : text),
  };
}
