// What commands need of the process: streams, language, signal.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { isLanguage, type Language } from '@yagura/core/i18n/language';
import type { Translate } from '@yagura/core/i18n/translator';
import { UsageError } from '../agent-error.ts';

export interface Terminal {
  /** Writes one line of data to stdout. */
  print(line: string): void;
  /** Writes one line for the user to stderr. */
  note(line: string): void;
  /** Asks for one line; throws without an interactive terminal and names the flag to use instead. A secret is not shown. */
  ask(question: string, flag: string, kind?: 'secret'): Promise<string>;
  env: NodeJS.ProcessEnv;
  language: Language;
  t: Translate;
  columns: number;
  /** Aborts on SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export function createTerminal(
  host: NodeJS.Process,
  settings: Pick<Terminal, 'language' | 't' | 'signal'>,
): Terminal {
  const { stdin, stdout, stderr, env } = host;
  return {
    ...settings,
    env,
    columns: stdout.columns || 80,
    print: (line) => void stdout.write(`${cleanLine(line)}\n`),
    note: (line) => void stderr.write(`${cleanLine(line)}\n`),
    async ask(question, flag, kind) {
      if (!stdin.isTTY || !stderr.isTTY) throw new UsageError('cli.usage.missing-flag', { flag });
      const output = kind === 'secret' ? nowhere() : stderr;
      const readline = createInterface({ input: stdin, output, terminal: true });
      const ended = new Promise<never>((_, reject) => {
        readline.once('close', () => reject(new UsageError('cli.cancelled')));
      });
      try {
        if (output !== stderr) stderr.write(`${question} `);
        const asked = readline.question(`${question} `, { signal: settings.signal });
        return (await Promise.race([asked, ended])).trim();
      } finally {
        ended.catch(() => undefined);
        readline.close();
        if (output !== stderr) stderr.write('\n');
      }
    },
  };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** The explicit choice, else the locale (POSIX order), else English. */
export function detectLanguage(env: NodeJS.ProcessEnv, choice?: string): Language {
  const wanted = [choice, env.YAGURA_LANG, env.LC_ALL, env.LC_MESSAGES, env.LANG].find(Boolean);
  const primary = wanted?.toLowerCase().split(/[-_.]/)[0];
  return isLanguage(primary) ? primary : 'en';
}

/** Escapes terminal controls and bidirectional formatting characters in untrusted text. */
function cleanLine(text: string): string {
  return text.replace(
    /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
