// Questions to the person in front of the terminal. Without a person nothing is asked: the missing flag is named.
import { Cancelled } from './failure.ts';
import type { Terminal } from './terminal.ts';
import { Usage } from './usage.ts';

/** Goes on after a yes. Throws Cancelled after anything else, and Usage where nobody can be asked. */
export async function confirm(terminal: Terminal, question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) throw new Usage('cli.usage.confirm', { flag: '--yes' });
  const answer = await askLine(terminal, `${question} ${terminal.t('cli.ask.yes-no')} `);
  if (!isYes(answer)) throw new Cancelled('cli.cancelled');
}

export function isYes(answer: string): boolean {
  return /^(y|yes|はい)$/i.test(answer.trim());
}

export async function askLine(terminal: Terminal, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: terminal.stdin, output: process.stderr });
  asking.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // The end of the input (Ctrl-D) answers no question.
  const ended = new Promise<never>((_, reject) => {
    asking.once('close', () => reject(new Cancelled('cli.cancelled')));
  });
  try {
    return await Promise.race([asking.question(question, { signal: terminal.signal }), ended]);
  } finally {
    asking.close();
  }
}

/** Reads one line that is not shown while it is typed. Backspace and Ctrl-U work; Ctrl-C and Ctrl-D give up. */
export async function askHidden(terminal: Terminal, question: string): Promise<string> {
  const { stdin } = terminal;
  terminal.err.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const chunk of stdin) {
      for (const character of chunk as string) {
        if (character === '\r' || character === '\n') return typed;
        if (character === '\x03' || character === '\x04') throw new Cancelled('cli.cancelled');
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
