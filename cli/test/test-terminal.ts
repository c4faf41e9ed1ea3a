// Test terminal with captured output, configurable width and interactivity.
import { PassThrough } from 'node:stream';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { type CliProcess, createTerminal, type Terminal } from '../src/terminal/terminal.ts';

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
  jsonErrors?: boolean;
  signal?: AbortSignal;
}

/** One translator per language, shared by all terminals. */
const translators = new Map<Language, Promise<Translate>>();

function loadCachedTranslator(language: Language): Promise<Translate> {
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
  const host = {
    argv: [],
    env: { NO_COLOR: '1', ...options.env },
    stdin,
    stdout,
    stderr,
  } as unknown as CliProcess;
  const terminal = createTerminal(host, {
    language,
    t: await loadCachedTranslator(language),
    jsonErrors: options.jsonErrors ?? false,
    profile: undefined,
    signal: options.signal ?? new AbortController().signal,
  });
  return {
    terminal,
    out: () => stdout.read() ?? '',
    err: () => stderr.read() ?? '',
  };
}
