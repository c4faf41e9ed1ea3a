// Live changes of a space: server-sent events for users; API tokens, which may not open the stream, poll.
import { setTimeout as pause } from 'node:timers/promises';
import type { QuickResponse } from '../http/quick-fetch.ts';
import type { Session } from '../signin/session.ts';

export interface Change {
  resource: string;
  id: string;
  scope?: string;
  op: 'create' | 'update' | 'delete';
  at: string;
}

/** A stream without any data, heartbeats included, for this many milliseconds is considered dead. */
const idleTimeoutMs = 45_000;
/** Characters; a larger event does not come from the server. */
const maxEventLength = 1_000_000;
/** Debounce in milliseconds: changes come in bursts. */
const debounceMs = 200;

/**
 * Yields when data should be read again: after a relevant change, when the stream of changes is lost or open
 * again, or at the latest after the interval in milliseconds. Ends when the signal aborts.
 */
export async function* watchForChanges(
  session: Session,
  intervalMs: number,
  signal: AbortSignal,
  isRelevant: (change: Change) => boolean,
): AsyncGenerator<void> {
  const timer = new WakeableTimer();
  const listening = new AbortController();
  const both = AbortSignal.any([signal, listening.signal]);
  if (session.credential?.kind === 'person')
    void listenForChanges(session, both, {
      onChange: (change) => isRelevant(change) && timer.wake(),
      onGap: () => timer.wake(),
    });
  try {
    while (!signal.aborted) {
      const changed = await timer.sleep(intervalMs, signal);
      if (signal.aborted) return;
      if (changed) await pause(debounceMs, undefined, { signal }).catch(() => undefined);
      timer.reset();
      yield;
    }
  } finally {
    listening.abort();
  }
}

interface Listener {
  onChange(change: Change): void;
  /** A stream that was open could not be opened again, or was: its server does not repeat what was missed. */
  onGap(): void;
}

/** Reads the stream and reconnects when it breaks. Stops on a 4xx response other than 429. */
async function listenForChanges(
  session: Session,
  signal: AbortSignal,
  { onChange, onGap }: Listener,
): Promise<void> {
  let state: 'opening' | 'open' | 'lost' | 'away' = 'opening';
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const { transport, origin } = session;
      const watch = new AbortController();
      const response = (await transport.fetch(`${origin}/api/internal/changes`, {
        headers: {
          accept: 'text/event-stream',
          'x-requested-with': 'XMLHttpRequest',
          ...(await transport.headers?.()),
        },
        signal: AbortSignal.any([signal, watch.signal]),
      })) as unknown as QuickResponse;
      if (response.status >= 400 && response.status < 500 && response.status !== 429) return;
      if (response.ok) {
        if (state === 'lost' || state === 'away') onGap();
        state = 'open';
        for await (const change of parseChanges(
          withIdleTimeout(response.body, idleTimeoutMs, () => watch.abort()),
        )) {
          failures = 0;
          onChange(change);
        }
      }
    } catch {
      // The lists keep polling; reconnecting is attempted below.
    }
    // The first failure to reconnect is told, so that a view says at once that the server is away.
    if (state === 'lost' && !signal.aborted) onGap();
    state = state === 'open' ? 'lost' : state === 'lost' ? 'away' : state;
    await pause(Math.min(1000 * 2 ** failures, 30_000), undefined, { signal, ref: false }).catch(
      () => undefined,
    );
  }
}

/** Parses the `change` events of a stream of server-sent events. */
export async function* parseChanges(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Change> {
  const { createParser } = await import('eventsource-parser');
  const decoder = new TextDecoder();
  const found: Change[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      const change = event === 'change' ? parseChange(data) : undefined;
      if (change) found.push(change);
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw new Error('an event is too large');
    },
    maxBufferSize: maxEventLength,
  });
  for await (const chunk of stream) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* found.splice(0);
  }
}

async function* withIdleTimeout(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
  onIdle: () => void,
): AsyncGenerator<Uint8Array> {
  let timer = setTimeout(onIdle, limit);
  try {
    for await (const chunk of stream) {
      clearTimeout(timer);
      timer = setTimeout(onIdle, limit);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}

function parseChange(text: string): Change | undefined {
  try {
    const change = JSON.parse(text) as Change;
    return typeof change?.resource === 'string' ? change : undefined;
  } catch {
    return undefined;
  }
}

/** Wakes a waiting loop early. */
class WakeableTimer {
  #ringing = false;
  #wake: (() => void) | undefined;

  wake(): void {
    this.#ringing = true;
    this.#wake?.();
  }

  reset(): void {
    this.#ringing = false;
  }

  /** Waits until rung (true) or until the timeout (false). */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#ringing) {
      const early = new AbortController();
      this.#wake = () => early.abort();
      await pause(milliseconds, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(
        () => undefined,
      );
      this.#wake = undefined;
    }
    return this.#ringing;
  }
}
