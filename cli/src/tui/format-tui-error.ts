// Formats an error as one line of the full-screen terminal.
import { errorMessages, withFieldPaths } from '../command-line/report-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The summary and the first field or hint, as the commands tell them; a form has no flags. */
export function formatTuiError(terminal: Terminal, error: unknown): string {
  const reported = withFieldPaths(error);
  return errorMessages(terminal, reported)
    .slice(0, 2)
    .map((line) => line.trim())
    .join(' ');
}
