// Log of the agent: one JSON object per line on standard error, with secrets masked.

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  [field: string]: unknown;
}
export type Log = (line: LogLine) => void;

/** Secrets that are recognizable in any text: tokens, authorization headers and user info of URLs. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b((?:ygr|kst|ykr)_)[\w-]{16,}/g, '$1***'],
  [/\b(Bearer|Token|Basic) +[\w.~+/=-]{16,}/gi, '$1 ***'],
  [/(\b[a-z][a-z+.-]{1,20}:\/\/)[^\s"\\/@]{1,500}@/gi, '$1***@'],
];

export function createLog(write: (line: string) => void, now: () => number = Date.now): Log {
  return (line) => {
    const text = JSON.stringify({ time: new Date(now()).toISOString(), ...line });
    write(`${secretTexts.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text)}\n`);
  };
}

/** Code of a system error, else its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error);
}
