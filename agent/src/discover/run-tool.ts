// Runs an installed program: without a shell, with arguments as a list, bounded in time and output.
import { type ExecFileException, execFile } from 'node:child_process';

const maxOutput = 4 * 1024 * 1024;
const maxError = 500;

export interface ToolRun {
  path: string;
  args: readonly string[];
  /** Text for its standard input. */
  input?: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** What the program wrote. Rejects if it fails, and with the reason of the signal when that aborts. */
export function runTool({ path, args, input = '', timeoutMs, signal }: ToolRun): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const options = {
      cwd: '/',
      timeout: Math.ceil(timeoutMs),
      maxBuffer: maxOutput,
      killSignal: 'SIGKILL' as const,
      signal,
      // Settings of the user, such as those in its home, do not apply.
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
    };
    const child = execFile(path, [...args], options, (error, stdout, stderr) => {
      if (signal.aborted) reject(signal.reason);
      else if (!error) resolve(stdout);
      else reject(failureOf(error, stderr));
    });
    // A program that ends early does not read its input.
    child.stdin!.on('error', () => undefined).end(input);
  });
}

function failureOf(error: ExecFileException, stderr: string): Error {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return new Error('too much output');
  if (error.killed) return new Error('timeout');
  // It did not start.
  if (typeof error.code === 'string') return error;
  return new Error(`exit code ${error.code ?? error.signal}: ${stderr.trim().slice(0, maxError)}`);
}
