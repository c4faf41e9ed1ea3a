// Sends a request whose reply is read as a file or a stream, which has no deadline of its own.
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';

/** Milliseconds until the reply has to begin; an upload or a large download can take longer than other calls. */
const replyTimeoutMs = 120_000;

/** Returns the reply as soon as it begins. Throws Problem 'unreachable' when it does not within the time. */
export async function fetchReply(
  transport: Transport,
  path: string,
  init: RequestInit,
  timeoutMs = replyTimeoutMs,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
  try {
    return await transport.fetch(transport.origin + path, { ...init, signal, redirect: 'error' });
  } catch (cause) {
    if (!late.signal.aborted || init.signal?.aborted) throw cause;
    const detail = transport.describeFailure?.({ reason: 'timeout', timeoutMs });
    throw new Problem('unreachable', { detail, cause });
  } finally {
    clearTimeout(timer);
  }
}
