// Runs a speech program: text through its standard input, bounded time and output, nothing of the text on the
// command line or in an error.
import { spawn } from 'node:child_process';
import { VoiceFailed } from './speech-renderer.ts';

export interface EngineRun {
  program: string;
  args: readonly string[];
  input: string;
  timeoutMs: number;
  /** Output beyond this is cut off, and the program is ended. */
  maxOutputBytes: number;
}

/** The program's standard output. Rejects with VoiceFailed. */
export function runEngine({ program, args, input, timeoutMs, maxOutputBytes }: EngineRun): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      // The environment of the server holds secrets.
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' } as unknown as NodeJS.ProcessEnv,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new VoiceFailed('the voice took too long'));
    }, timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).subarray(0, maxOutputBytes));
    };
    child.on('error', () => {
      clearTimeout(timer);
      reject(new VoiceFailed('the voice could not be started'));
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (length >= maxOutputBytes) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length < maxOutputBytes) return;
      child.kill('SIGKILL');
      finish();
    });
    child.on('close', (code) => {
      if (code === 0) return finish();
      clearTimeout(timer);
      reject(new VoiceFailed('the voice ended with an error'));
    });
    // A program that ends early closes its input; its exit code is what counts.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
