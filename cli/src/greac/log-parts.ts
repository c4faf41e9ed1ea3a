// Judges, lists, downloads and decrypts the parts of a session's logs.
import { findIdentity } from '@yagura/core/greac/find-identity';
import { judgeLog, type LogJudgement } from '@yagura/core/greac/log-judgement';
import type { SessionLogPart, SessionLogParts } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import { problemFromReply } from '@yagura/core/http/problem';
import { UsageError } from '../command-line/usage-error.ts';
import { fetchReply } from '../http/fetch-reply.ts';
import type { QuickResponse } from '../http/quick-fetch.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ListedLog {
  /** In their order. */
  parts: SessionLogPart[];
  /** Null if the session has no log of this kind. */
  judgement: LogJudgement | null;
}

export async function listLogParts(terminal: Terminal, sessionId: string, kind: LogKind): Promise<ListedLog> {
  const logs = resourceClient(resourceNamed('session-log'), openSession(terminal).transport);
  const log = await logs.call<SessionLogParts>('log-parts', { id: sessionId, signal: terminal.signal });
  const parts = log.items.filter((item) => item.kind === kind).sort((a, b) => a.part - b.part);
  const exists = parts.length > 0 || log.ends.some((end) => end.kind === kind);
  return { parts, judgement: exists ? await judgeLog(kind, log) : null };
}

/** Returns the encrypted part. */
export async function downloadLogPart(
  terminal: Terminal,
  sessionId: string,
  kind: LogKind,
  part: number,
): Promise<Uint8Array> {
  const { transport } = openSession(terminal);
  const path = `/api/internal/apps/greac/sessions/${encodeURIComponent(sessionId)}/${kind}-log?part=${part}`;
  const response = (await fetchReply(transport, path, {
    method: 'GET',
    headers: {
      accept: 'application/octet-stream, application/problem+json',
      'x-requested-with': 'XMLHttpRequest',
      ...(await transport.headers?.()),
    },
    signal: terminal.signal,
  })) as unknown as QuickResponse;
  if (!response.ok) {
    const text = await response.text();
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // A proxy between here and the space replied with its own body.
    }
    throw problemFromReply(response.status, body, { instance: path });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export interface DecryptedLog {
  content: Uint8Array;
  /** The end is missing, or altered: `content` is what could be read before. */
  isDamaged: boolean;
}

/** Throws if the key does not fit. */
export async function decryptLog(log: Uint8Array, key: string): Promise<DecryptedLog> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  let plain: AsyncIterable<Uint8Array>;
  try {
    decrypter.addIdentity(key);
    plain = (await decrypter.decrypt(
      new Blob([new Uint8Array(log)]).stream(),
    )) as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new UsageError('cli.usage.decrypt', { reason: (cause as Error).message });
  }
  const chunks: Uint8Array[] = [];
  let isDamaged = false;
  try {
    for await (const chunk of plain) chunks.push(chunk);
  } catch {
    isDamaged = true;
  }
  return { content: Buffer.concat(chunks), isDamaged };
}

/** Throws if the text has no secret key. */
export function requireIdentity(text: string): string {
  const identity = findIdentity(text);
  if (identity === null) throw new UsageError('cli.usage.identity');
  return identity;
}
