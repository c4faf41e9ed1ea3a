// Prompts. Without an interactive terminal, they fail and name the missing flag.

import { on } from 'node:events';
import type { Terminal } from '../terminal/terminal.ts';
import { signalExitCodes } from './interruption.ts';
import { CancelledError, ExitError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns after a yes. Throws when the user gives any other answer, and a usage error when the terminal is
 * not interactive.
 */
export async function confirm(terminal: Terminal, question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!terminal.canPrompt) throw new UsageError('cli.usage.confirm', { flag: '--yes' });
  const answer = await promptLine(terminal, `${question} ${terminal.t('cli.ask.yes-no')} `);
  if (!isYes(answer)) throw new CancelledError('cli.cancelled');
}

export function isYes(answer: string): boolean {
  return /^(y|yes|はい)$/i.test(answer.trim());
}

export async function promptLine(terminal: Terminal, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const readline = createInterface({ input: terminal.stdin, output: process.stderr });
  readline.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // End of input (Ctrl-D) is not an answer.
  const ended = new Promise<never>((_, reject) => {
    readline.once('close', () => reject(new CancelledError('cli.cancelled')));
  });
  try {
    return await Promise.race([readline.question(question, { signal: terminal.signal }), ended]);
  } finally {
    readline.close();
  }
}

/** Reads one line without echo. Backspace and Ctrl-U edit; Ctrl-D cancels, and Ctrl-C interrupts. */
export async function promptHidden(terminal: Terminal, question: string): Promise<string> {
  const { stdin } = terminal;
  terminal.err.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const [chunk] of on(stdin, 'data', { signal: terminal.signal, close: ['end', 'close'] })) {
      for (const character of chunk as string) {
        if (character === '\r' || character === '\n') return typed;
        if (character === '\x03') throw new ExitError(signalExitCodes.SIGINT);
        if (character === '\x04') throw new CancelledError('cli.cancelled');
        if (character === '\x7f' || character === '\b') typed = [...typed].slice(0, -1).join('');
        else if (character === '\x15') typed = '';
        else if (character >= ' ') typed += character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    terminal.err.write('\n');
  }
}
