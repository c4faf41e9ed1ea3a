#!/usr/bin/env node
// Entry point: runs one command; the only place where errors become messages and exit codes.
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { CommanderError } from 'commander';
import { AgentError } from './agent-error.ts';
import { createTerminal, detectLanguage, type Terminal } from './command-line/terminal.ts';
import { createProgram } from './program.ts';

const interrupted = 130;

async function main(host: NodeJS.Process): Promise<void> {
  const stop = new AbortController();
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `yagura-agent … | head` closes the pipe early.
    if (error.code !== 'EPIPE') throw error;
    host.exit(0);
  });
  host.stderr.on('error', (error: NodeJS.ErrnoException) => {
    // Nobody reads the log any more. Other errors, such as a full disk, only cost lines of the log.
    if (error.code === 'EPIPE') stop.abort(error);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    host.on(signal, () => {
      if (stop.signal.aborted) host.exit(interrupted);
      stop.abort(new Error(signal));
    });
  const argv = host.argv.slice(2);
  const language = detectLanguage(host.env, languageFlag(argv));
  const t = createInterpolator(language, await loadTranslations(language));
  const terminal = createTerminal(host, { language, t, signal: stop.signal });
  try {
    await createProgram(terminal).parseAsync(argv, { from: 'user' });
  } catch (error) {
    host.exitCode = stop.signal.aborted ? interrupted : report(terminal, error);
  }
}

function report(terminal: Terminal, error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof AgentError) {
    terminal.note(terminal.t(error.messageKey, error.params));
    for (const line of error.lines) terminal.note(line);
    return error.exitCode;
  }
  terminal.note(
    terminal.t('cli.unexpected', { reason: error instanceof Error ? error.message : String(error) }),
  );
  if (terminal.env.YAGURA_DEBUG && error instanceof Error) terminal.note(String(error.stack));
  return 1;
}

function languageFlag(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  return index < 0 ? undefined : (argv[index]!.split('=')[1] ?? argv[index + 1]);
}

await main(process);
