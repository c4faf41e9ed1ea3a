// Runs an installed program: without a shell, with arguments as a list, bounded in time and output.
import { spawn } from 'node:child_process';

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
    const child = spawn(path, [...args], {
      cwd: '/',
      // Settings of the user, such as those in its home, do not apply.
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
      stdio: 'pipe',
    });
    let output = '';
    let errors = '';
    let failed: unknown;
    const stop = (reason: unknown) => {
      failed ??= reason;
      child.kill('SIGKILL');
    };
    const onAbort = () => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => stop(new Error('timeout')), timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxOutput) stop(new Error('too much output'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < maxError) errors += text.slice(0, maxError);
    });
    // A program that ends early does not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', stop);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (failed !== undefined) reject(failed);
      else if (code !== 0) reject(new Error(`exit code ${code}: ${errors.trim().slice(0, maxError)}`));
      else resolve(output);
    });
  });
}
