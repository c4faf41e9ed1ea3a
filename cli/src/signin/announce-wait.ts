// Says on stderr that a call waits until the server is asked again; without it, a command would seem to hang.
import type { ProblemKind } from '@yagura/core/http/problem';
import type { RetryOptions } from '@yagura/core/http/retry';
import type { Translate } from '@yagura/core/i18n/translator';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

/** Shorter waits, in milliseconds, go unnoticed. */
export const minAnnouncedMs = 1000;

/** For the retries of a session. Calls that wait at the same time are announced once. */
export function announceWaits(terminal: Terminal): NonNullable<RetryOptions['onWait']> {
  let announcedUntil = 0;
  return (milliseconds, kind) => {
    const now = terminal.now();
    // With JSON output, programs read stderr as JSON too.
    if (terminal.jsonErrors || milliseconds < minAnnouncedMs || now < announcedUntil) return;
    announcedUntil = now + milliseconds;
    const text = terminal.err.paint('warning', waitText(terminal.t, kind, milliseconds));
    // The message takes the place of a line of progress.
    const isRewritable = terminal.err.isTTY && terminal.env.TERM !== 'dumb';
    printMessage(terminal, isRewritable ? `\r\x1b[2K${text}` : text);
  };
}

/** Why a call waits, and for how many milliseconds more. */
export function waitText(t: Translate, kind: ProblemKind, milliseconds: number): string {
  const key = kind === 'too-many-requests' ? 'cli.wait.too-many-requests' : 'cli.wait.unavailable';
  return t(key, { seconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
