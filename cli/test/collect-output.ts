// Collects what a command writes until it ends.
import type { ChildProcess } from 'node:child_process';

export interface CommandOutput {
  out: string;
  err: string;
}

/** `output` grows while the command runs; `ended` resolves with its exit code, null after a signal. */
export function collectOutput(child: ChildProcess): {
  output: CommandOutput;
  ended: Promise<number | null>;
} {
  const output: CommandOutput = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { output, ended };
}
