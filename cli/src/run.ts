// One run of a command: its terminal, the program, and the one border where failures become words and exit codes.

import { CommanderError } from 'commander';
import { program } from './program.ts';
import { exitCodes, reportError } from './term/failure.ts';
import { readGlobals } from './term/globals.ts';
import { languageOf } from './term/language.ts';
import { terminalOf } from './term/terminal.ts';
import { loadTranslate } from './term/words.ts';

export async function run(host: NodeJS.Process): Promise<void> {
  quietOnClosedPipe(host);
  const interrupt = new AbortController();
  host.on('SIGINT', () => {
    if (interrupt.signal.aborted) host.exit(exitCodes.interrupted);
    interrupt.abort(new Error('interrupted'));
  });
  const globals = readGlobals(host.argv.slice(2));
  const language = languageOf(host.env, globals.language);
  const terminal = terminalOf(host, {
    language,
    t: await loadTranslate(language),
    machine: globals.machine,
    profile: globals.profile,
    signal: interrupt.signal,
  });
  try {
    if (globals.problem) throw globals.problem;
    const root = await program(terminal, globals.rest);
    if (root) await root.parseAsync(globals.rest, { from: 'user' });
    if (interrupt.signal.aborted) host.exitCode = exitCodes.interrupted;
  } catch (error) {
    // A group of commands without a command shows its help, but did nothing.
    if (error instanceof CommanderError)
      host.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    else host.exitCode = reportError(terminal, error);
  }
}

/** `yagura … | head` closes the pipe early, which is no failure. */
function quietOnClosedPipe(host: NodeJS.Process): void {
  for (const stream of [host.stdout, host.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      host.exit(exitCodes.ok);
    });
  }
}
