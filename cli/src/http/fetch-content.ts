// Fetches a body of any size as it arrives. A body has no deadline of its own, but one that stalls is an error.
import { Problem } from '@yagura/core/http/problem';
import { withRetry } from '@yagura/core/http/retry';
import { failureReason, foreignReply, problemOfReply, type Transport } from '@yagura/core/http/transport';
import type { Terminal } from '../terminal/terminal.ts';
import { fetchReply } from './fetch-reply.ts';

/** Milliseconds without a byte after which a body has stalled. */
const idleTimeoutMs = 60_000;

export interface ContentRequest {
  /** Path and query. */
  path: string;
  method?: 'GET' | 'POST';
  /** Value of the Accept header. */
  accept: string;
  headers?: Record<string, string>;
  body?: string;
  /** Media type of the reply; another one comes from another server. Any by default. */
  mediaType?: string;
  idleMs?: number;
}

export interface Content {
  reply: Response;
  /** Reading it to the end, or stopping earlier, closes the connection. Errors are Problems of kind 'unreachable'. */
  bytes: AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that nobody reads; it would keep the process running. */
  discard(): void;
}

/** Returns the reply as soon as it begins, after the retries of the transport. Throws the problem of a refusal. */
export async function fetchContent(
  terminal: Terminal,
  transport: Transport,
  { path, method = 'GET', accept, headers, body, mediaType, idleMs = idleTimeoutMs }: ContentRequest,
): Promise<Content> {
  const attempt = async (): Promise<Content> => {
    const stop = new AbortController();
    const reply = await fetchReply(transport, path, {
      method,
      headers: { accept, ...(await transport.headers?.()), ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.any([terminal.signal, stop.signal]),
    });
    const bytes = readBody(terminal, transport, reply, { stop, idleMs });
    if (!reply.ok)
      throw problemOfReply(transport, reply, parseBody(await textOf(bytes)), path.split('?')[0]!);
    const discard = () => stop.abort();
    if (mediaType && !reply.headers.get('content-type')?.startsWith(mediaType)) {
      discard();
      throw foreignReply(transport);
    }
    return { reply, bytes, discard };
  };
  const { signal } = terminal;
  return transport.retry ? withRetry({ method, headers, signal }, transport.retry, attempt) : attempt();
}

/** The bytes of a reply; the request is sent when the first of them is asked for. */
export async function* fetchBytes(
  terminal: Terminal,
  transport: Transport,
  request: ContentRequest,
): AsyncGenerator<Uint8Array> {
  yield* (await fetchContent(terminal, transport, request)).bytes;
}

/** The time that the reader takes between two chunks does not count as idle. */
async function* readBody(
  { signal, t }: Terminal,
  { describeFailure }: Transport,
  { body }: Response,
  { stop, idleMs }: { stop: AbortController; idleMs: number },
): AsyncGenerator<Uint8Array> {
  let isStalled = false;
  let isComplete = false;
  const watch = () =>
    setTimeout(() => {
      isStalled = true;
      stop.abort();
    }, idleMs);
  let timer = watch();
  try {
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      yield chunk;
      timer = watch();
    }
    isComplete = true;
  } catch (cause) {
    if (signal.aborted) throw cause;
    const reason = isStalled ? t('cli.stalled', { seconds: idleMs / 1000 }) : failureReason(cause);
    throw new Problem('unreachable', { detail: describeFailure?.({ reason }), cause });
  } finally {
    clearTimeout(timer);
    if (!isComplete) stop.abort();
  }
}

/** Bytes of a body that are read of a refusal. */
const maxRefusalBytes = 1024 * 1024;

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxRefusalBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy between here and the space replied with its own body.
    return text;
  }
}
