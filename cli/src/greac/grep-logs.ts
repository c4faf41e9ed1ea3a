// `sessions grep`: searches in the text logs of closed sessions, which are decrypted on this machine.
import { logJudgementText } from '@yagura/core/greac/log-verdict-texts';
import { Problem } from '@yagura/core/http/problem';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { ExitError, errorMessages, exitCodes } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { decryptLog, downloadLogPart, listLogParts, requireIdentity } from './log-parts.ts';

export interface GrepOptions {
  identity: string;
  ignoreCase?: boolean;
}

/** Sessions that are searched by default. */
const defaultSessions = 100;

/**
 * Prints the matching lines with their session. Exits with 1 without a match, as grep does, and if a log is
 * damaged or not complete, so that matches can be missing.
 */
export async function grepLogs(
  terminal: Terminal,
  pattern: string,
  sessionIds: readonly string[],
  options: GrepOptions,
): Promise<void> {
  const matcher = await compilePattern(pattern, options.ignoreCase ?? false);
  const key = requireIdentity(await readFileOrStdin(options.identity, terminal, '--identity'));
  const ids = sessionIds.length > 0 ? sessionIds : await latestSessions(terminal);
  let matches = 0;
  let isIncomplete = false;
  for (const sessionId of ids) {
    try {
      const { parts, judgement } = await listLogParts(terminal, sessionId, 'text');
      for (const { part } of parts) {
        const log = downloadLogPart(terminal, sessionId, 'text', part);
        const { content, isDamaged } = await decryptLog(log, key);
        for await (const line of linesOf(content)) {
          if (!matcher(line)) continue;
          matches += 1;
          terminal.out.write(`${sessionId}\t${cleanLine(line)}\n`);
        }
        if (!isDamaged()) continue;
        isIncomplete = true;
        const reason = terminal.t('recording.damaged', { part });
        printMessage(terminal, terminal.t('cli.session-grep.incomplete', { session: sessionId, reason }));
      }
      if (!judgement?.fault) continue;
      isIncomplete = true;
      const reason = logJudgementText(judgement, terminal.t);
      printMessage(terminal, terminal.t('cli.session-grep.incomplete', { session: sessionId, reason }));
    } catch (error) {
      // Logs of another key, or that are gone, must not hide the others.
      if (!(error instanceof UsageError || isAboutOne(error))) throw error;
      const reason = errorMessages(terminal, error)[0];
      printMessage(terminal, terminal.t('cli.session-grep.skipped', { session: sessionId, reason }));
    }
  }
  if (matches === 0 || isIncomplete) throw new ExitError(exitCodes.problem);
}

/** The lines of a text as it arrives; a line break at the end is followed by an empty line. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // A line can be as long as the log, so its pieces are joined once.
  let pieces: string[] = [];
  for await (const chunk of content) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    for (const next of rest) {
      yield pieces.join('');
      pieces = [next];
    }
  }
  yield pieces.join('') + decoder.decode();
}

function isAboutOne(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'not-found';
}

async function compilePattern(pattern: string, ignoreCase: boolean): Promise<(line: string) => boolean> {
  const { compileLineMatcher } = await import('@yagura/core/validation/line-matcher');
  try {
    return compileLineMatcher(pattern, ignoreCase);
  } catch (error) {
    throw new UsageError('cli.session-grep.pattern-invalid', { reason: (error as Error).message });
  }
}

async function latestSessions(terminal: Terminal): Promise<string[]> {
  const sessions = resourceClient(resourceNamed('session'), openSession(terminal).transport);
  const query = { filter: 'status eq "closed"', sort: '-openedAt', limit: defaultSessions };
  const { items } = await sessions.list(query, {}, terminal.signal);
  return items.map(({ sessionId }) => String(sessionId));
}
