// Attaches the user to a session through the console, which holds the user's token.
import type { SessionAttachment } from '@yagura/core/greac/session';
import { Problem, problemFromReply } from '@yagura/core/http/problem';

type AttachReply = { attachment: SessionAttachment } | { problem?: { status: number } };

/** Milliseconds for which an attachment is kept; its ticket is valid for 30 s. */
const keptMs = 20_000;
const ahead = new Map<string, { attaching: Promise<SessionAttachment>; since: number }>();

/** Attaches while the code that shows the session is still being loaded; the next `attachInBrowser` resolves with it. */
export function attachAhead(sessionId: string): void {
  const attaching = attach(sessionId);
  attaching.catch(() => undefined);
  ahead.set(sessionId, { attaching, since: performance.now() });
}

export function attachInBrowser(sessionId: string): Promise<SessionAttachment> {
  const kept = ahead.get(sessionId);
  ahead.delete(sessionId);
  return kept && performance.now() - kept.since < keptMs ? kept.attaching : attach(sessionId);
}

/** Close reason of a session that can no longer be attached to. */
export async function closeReasonInBrowser(sessionId: string): Promise<string> {
  const response = await fetch(attachPath(sessionId), { redirect: 'manual' });
  const { closeReason } = (await response.json()) as { closeReason: string | null };
  return closeReason ?? '';
}

function attachPath(sessionId: string): string {
  return `/apps/greac/connect/${encodeURIComponent(sessionId)}/attach`;
}

async function attach(sessionId: string): Promise<SessionAttachment> {
  const path = attachPath(sessionId);
  const response = await fetch(path, { method: 'POST', redirect: 'manual' }).catch((cause) => {
    throw new Problem('unreachable', { cause });
  });
  if (response.type === 'opaqueredirect') throw new Problem('sign-in-required');
  const body = (await response.json().catch(() => null)) as AttachReply | null;
  if (body && 'attachment' in body) return body.attachment;
  const problem = body?.problem ?? body;
  throw problemFromReply(body?.problem?.status ?? response.status, problem, { instance: path });
}
