// Lists, downloads and decrypts the parts of a session's logs.
import type { SessionLogPart } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import { UsageError } from '../command-line/usage-error.ts';
import type { QuickResponse } from '../http/quick-fetch.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Parts in their order. */
export async function listLogParts(
  terminal: Terminal,
  sessionId: string,
  kind: LogKind,
): Promise<SessionLogPart[]> {
  const logs = resourceClient(resourceNamed('session-log'), openSession(terminal).transport);
  const { items } = await logs.call<{ items: SessionLogPart[] }>('log-parts', {
    id: sessionId,
    signal: terminal.signal,
  });
  return items.filter((item) => item.kind === kind).sort((a, b) => a.part - b.part);
}

/** Returns the encrypted part. */
export async function downloadLogPart(
  terminal: Terminal,
  sessionId: string,
  kind: LogKind,
  part: number,
): Promise<Uint8Array> {
  const { transport, origin } = openSession(terminal);
  const path = `/api/internal/apps/greac/sessions/${encodeURIComponent(sessionId)}/${kind}-log?part=${part}`;
  const response = (await transport
    .fetch(origin + path, {
      method: 'GET',
      headers: {
        accept: 'application/octet-stream, application/problem+json',
        'x-requested-with': 'XMLHttpRequest',
        ...(await transport.headers?.()),
      },
      signal: terminal.signal,
      redirect: 'error',
    })
    .catch((cause) => {
      if (terminal.signal.aborted || cause instanceof Problem) throw cause;
      throw new Problem('unreachable', {
        detail: (cause as NodeJS.ErrnoException).code ?? String(cause),
        cause,
      });
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

/** Returns what could be decrypted; a part that was cut ends early. Throws if the key does not fit. */
export async function decryptLog(log: Uint8Array, key: string): Promise<Uint8Array> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  const chunks: Uint8Array[] = [];
  try {
    decrypter.addIdentity(key);
    const plain = await decrypter.decrypt(new Blob([new Uint8Array(log)]).stream());
    for await (const chunk of plain as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  } catch (cause) {
    if (chunks.length === 0) throw new UsageError('cli.usage.decrypt', { reason: (cause as Error).message });
  }
  return Buffer.concat(chunks);
}
