// Server log: one JSON object per line on standard error, or plain text on a terminal.

export type LogLevel = 'info' | 'warn' | 'error';
export interface LogLine {
  level: LogLevel;
  message: string;
  [fact: string]: unknown;
}
export type Log = (line: LogLine) => void;

export function createLog(stream: NodeJS.WriteStream, now: () => number): Log {
  return ({ level, message, ...fields }) => {
    const time = new Date(now()).toISOString();
    if (!stream.isTTY) {
      stream.write(`${JSON.stringify({ time, level, message, ...fields })}\n`);
      return;
    }
    const rest = Object.entries(fields)
      .map(([name, value]) => ` ${name}=${text(value)}`)
      .join('');
    stream.write(`${time.slice(11, 23)} ${level.padEnd(5)} ${message}${rest}\n`);
  };
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

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
