// A terminal for tests: what is written can be read, and it is as wide and as live as the test says.
import { PassThrough } from 'node:stream';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { Language, Translate } from '@yagura/core/words/translate';
import { type Host, type Terminal, terminalOf } from '../src/term/terminal.ts';

export interface TestTerminal {
  terminal: Terminal;
  out(): string;
  err(): string;
}

export interface TestTerminalOptions {
  language?: Language;
  live?: boolean;
  env?: NodeJS.ProcessEnv;
  input?: string;
  machine?: boolean;
  signal?: AbortSignal;
}

/** One for each language: they are the same for every terminal. */
const translators = new Map<Language, Promise<Translate>>();

function translatorOf(language: Language): Promise<Translate> {
  const known = translators.get(language) ?? loadTranslator(language);
  translators.set(language, known);
  return known;
}

export async function testTerminal(options: TestTerminalOptions = {}): Promise<TestTerminal> {
  const { language = 'en', live = false } = options;
  const stream = (encoding?: BufferEncoding) => Object.assign(new PassThrough({ encoding }), { isTTY: live });
  const stdin = stream();
  stdin.end(options.input ?? '');
  const stdout = stream('utf8');
  const stderr = stream('utf8');
  const host = { argv: [], env: { NO_COLOR: '1', ...options.env }, stdin, stdout, stderr } as unknown as Host;
  const terminal = terminalOf(host, {
    language,
    t: await translatorOf(language),
    machine: options.machine ?? false,
    profile: undefined,
    signal: options.signal ?? new AbortController().signal,
  });
  return {
    terminal,
    out: () => stdout.read() ?? '',
    err: () => stderr.read() ?? '',
  };
}
