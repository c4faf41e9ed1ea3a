// `sessions log`: downloads a session recording and decrypts it when a private key is given.
import { logJudgementText, logVerdictTexts } from '@yagura/core/greac/log-verdict-texts';
import { type LogKind, logKinds } from '@yagura/core/greac/session-parameters';
import { Problem } from '@yagura/core/http/problem';
import { parseChoice } from '../command-line/parse-choice.ts';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { ExitError, exitCodes } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { saveOrPrint } from '../files/save-file.ts';
import { parseInteger } from '../resource/list.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { decryptLog, downloadLogPart, listLogParts, requireIdentity } from './log-parts.ts';

export interface SessionLogOptions {
  kind?: string;
  part?: string;
  identity?: string;
  output?: string;
}

/**
 * Writes the log to a file, or to stdout when that is not a terminal. An existing file is not overwritten.
 * The verdicts on the log and on each part go to stderr. Exits with 1 if a part is damaged, after writing what comes
 * before the damage, and if parts or the end are missing or not what was signed.
 */
export async function downloadSessionLog(
  terminal: Terminal,
  sessionId: string,
  options: SessionLogOptions,
): Promise<void> {
  const { identity, output } = options;
  const kind: LogKind = parseChoice('--kind', options.kind ?? 'text', logKinds);
  const only = parseInteger(options.part, '--part', 1, 10_000);
  const plain = identity !== undefined;
  if (output === undefined && terminal.out.isTTY && (!plain || kind === 'video'))
    throw new UsageError('cli.usage.missing-flag', { flag: '--output' });
  const key = plain ? requireIdentity(await readFileOrStdin(identity, terminal, '--identity')) : undefined;
  const { parts: listed, judgement } = await listLogParts(terminal, sessionId, kind);
  const parts = only === undefined ? listed : listed.filter(({ part }) => part === only);
  if (judgement) {
    const verdict = logJudgementText(judgement, terminal.t);
    printMessage(terminal, terminal.t('cli.session-log.log-verdict', { verdict }));
  }
  if (parts.length === 0) throw new Problem('not-found', { detail: `${kind} log` });
  if (parts.length > 1 && key === undefined) throw new UsageError('cli.session-log.parts');
  let isDamaged = only === undefined && judgement?.fault != null;
  async function* contents(): AsyncGenerator<Uint8Array> {
    for (const { part, verdict } of parts) {
      const log = downloadLogPart(terminal, sessionId, kind, part);
      const decrypted = key === undefined ? undefined : await decryptLog(log, key);
      const text = terminal.t(logVerdictTexts[verdict]);
      printMessage(terminal, terminal.t('cli.session-log.verdict', { part, verdict: text }));
      yield* decrypted?.content ?? log;
      if (!decrypted?.isDamaged()) continue;
      isDamaged = true;
      printMessage(terminal, terminal.t('recording.damaged', { part }));
    }
  }
  await saveOrPrint(terminal, output, contents(), { flag: '--output', mode: 0o600, isNew: true });
  if (isDamaged) throw new ExitError(exitCodes.problem);
}
