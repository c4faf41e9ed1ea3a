// Server log: one JSON object per line on standard error, or plain text on a terminal.

import { type DestinationStream, pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
export interface LogLine {
  level: LogLevel;
  message: string;
  [field: string]: unknown;
}
export type Log = (line: LogLine) => void;

export interface LogStream {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface LogOptions {
  /** Least severe level that is written. */
  level?: LogLevel;
  now?: () => number;
}

/** Gives each line to `stream` before it returns. */
export function createLog(stream: LogStream, { level = 'info', now = Date.now }: LogOptions = {}): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: mask },
      hooks: { streamWrite: maskSecrets },
    },
    destinationOf(stream),
  );
  return ({ level, message, ...fields }) => logger[level](fields, message);
}

function destinationOf(stream: LogStream): DestinationStream {
  return { write: (line) => stream.write(stream.isTTY ? toText(line) : line) };
}

/** Loggable fields of an error: name, message and code, never values bound to a statement. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const { code } = error as Error & { code?: unknown };
  return {
    error: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack?.split('\n').slice(1, 6).join('\n'),
  };
}

const mask = '***';

/** Fields whose value is masked, at the top level and one level below. */
const secretPaths = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  '["x-authorization"]',
  '["set-cookie"]',
].flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]);

/** Secrets that are recognizable in any text, such as the message of an error. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  // Addresses of receive slots.
  [/(\/receive\/(?:webhook|mail)\/)[^\s"\\/?#]+/g, `$1${mask}`],
  // API tokens, tokens of agents and of Kroker machines.
  [/\b((?:ygr|kst|ykr)_)[\w-]{16,}/g, `$1${mask}`],
  [/\b(Bearer|Token|Basic) +[\w.~+/=-]{16,}/gi, `$1 ${mask}`],
  // JSON Web Tokens.
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, mask],
  // User info of a URL. The length is bounded to keep the search linear.
  [/(\b[a-z][a-z+.-]{1,20}:\/\/)[^\s"\\/@]{1,500}@/gi, `$1${mask}@`],
];

function maskSecrets(line: string): string {
  return secretTexts.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** A line for a terminal: time, level, message, other fields. */
function toText(line: string): string {
  const { time, level, message, ...fields } = JSON.parse(line) as LogLine & { time: string };
  const rest = Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${message}${rest}\n`;
}
