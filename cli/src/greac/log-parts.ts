// Judges, lists, downloads and decrypts the parts of a session's logs.
import { ReadableStream } from 'node:stream/web';
import { findIdentity } from '@yagura/core/greac/find-identity';
import { judgeLog, type LogJudgement } from '@yagura/core/greac/log-judgement';
import type { SessionLogPart, SessionLogParts } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import { UsageError } from '../command-line/usage-error.ts';
import { fetchBytes } from '../http/fetch-content.ts';
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

/** Downloads an encrypted part as it arrives. */
export function downloadLogPart(
  terminal: Terminal,
  sessionId: string,
  kind: LogKind,
  part: number,
): AsyncIterable<Uint8Array> {
  return fetchBytes(terminal, openSession(terminal).transport, {
    path: `/api/internal/apps/greac/sessions/${encodeURIComponent(sessionId)}/${kind}-log?part=${part}`,
    accept: 'application/octet-stream, application/problem+json',
    headers: { 'x-requested-with': 'XMLHttpRequest' },
  });
}

export interface DecryptedLog {
  content: AsyncIterable<Uint8Array>;
  /** After `content` was read: its end is missing or altered, and what could be read before was returned. */
  isDamaged(): boolean;
}

/** Throws if the key does not fit. An error of `log` itself is thrown as it is while `content` is read. */
export async function decryptLog(log: AsyncIterable<Uint8Array>, key: string): Promise<DecryptedLog> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  let failure: { error: unknown } | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* log;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  let plain: AsyncIterable<Uint8Array>;
  try {
    decrypter.addIdentity(key);
    const encrypted = ReadableStream.from(watched()) as unknown as globalThis.ReadableStream<Uint8Array>;
    plain = (await decrypter.decrypt(encrypted)) as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (failure) throw failure.error;
    throw new UsageError('cli.usage.decrypt', { reason: (cause as Error).message });
  }
  let isDamaged = false;
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      yield* plain;
    } catch {
      if (failure) throw failure.error;
      isDamaged = true;
    }
  }
  return { content: content(), isDamaged: () => isDamaged };
}

/** Throws if the text has no secret key. */
export function requireIdentity(text: string): string {
  const identity = findIdentity(text);
  if (identity === null) throw new UsageError('cli.usage.identity');
  return identity;
}
