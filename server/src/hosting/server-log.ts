// The log of the server and its commands, on standard error.
import { createLog, type Log, type LogOptions } from '../common/log.ts';
import { LogOutput } from './log-output.ts';

/** Lines that a pipe has not taken are written when the process ends. */
export function createServerLog(stream: NodeJS.WriteStream & { fd: number }, options: LogOptions = {}): Log {
  if (stream.isTTY) return createLog(stream, options);
  const output = new LogOutput(stream.fd, {
    onLost: (lines) =>
      log({ level: 'warn', message: 'log lines were lost: standard error was not read', lines }),
  });
  const log = createLog(output, options);
  process.on('exit', () => output.flush());
  return log;
}
