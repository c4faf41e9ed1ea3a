// Runs one command; the only place where errors become messages and exit codes.

import type { Translate } from '@yagura/core/i18n/translator';
import { CommanderError } from 'commander';
import { detectLanguage } from './command-line/detect-language.ts';
import { parseGlobalOptions } from './command-line/global-options.ts';
import { abortOnInterruption, interruptedExitCode } from './command-line/interruption.ts';
import { loadTranslate } from './command-line/load-translate.ts';
import { detailedExitCodeFlag, ExitError, exitCodes, reportError } from './command-line/report-error.ts';
import { createProgram } from './program.ts';
import { fileErrorText } from './terminal/file-error-text.ts';
import { createTerminal } from './terminal/terminal.ts';

export async function run(host: NodeJS.Process): Promise<void> {
  const signal = abortOnInterruption(host);
  const globals = parseGlobalOptions(host.argv.slice(2));
  const language = detectLanguage(host.env, globals.language);
  const t = await loadTranslate(language);
  exitOnWriteErrors(host, t);
  const terminal = createTerminal(host, {
    language,
    t,
    jsonErrors: globals.jsonErrors,
    profile: globals.profile,
    signal,
  });
  try {
    if (globals.problem) throw globals.problem;
    const root = await createProgram(terminal, globals.rest);
    if (root) await root.parseAsync(globals.rest, { from: 'user' });
    if (signal.aborted) host.exitCode = interruptedExitCode(signal);
  } catch (error) {
    // A command group without a subcommand shows its help, but exits with an error.
    const code =
      error instanceof CommanderError
        ? error.exitCode === 0
          ? exitCodes.ok
          : exitCodes.usage
        : reportError(terminal, error);
    const detailed = globals.rest.includes(detailedExitCodeFlag) && !(error instanceof ExitError);
    host.exitCode = detailed && code === exitCodes.usage ? exitCodes.problem : code;
  }
}

/** `yagura … | head` closes the pipe early, which is not an error; a full disk is one. */
function exitOnWriteErrors(host: NodeJS.Process, t: Translate): void {
  host.stderr.on('error', (error: NodeJS.ErrnoException) =>
    host.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.problem),
  );
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return host.exit(exitCodes.ok);
    host.stderr.write(`${t('cli.write-failed', { reason: fileErrorText(error, t) })}\n`);
    return host.exit(exitCodes.problem);
  });
}
