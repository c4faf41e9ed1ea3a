// Reads the live change stream as a given user.
import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

export interface ReceivedChange {
  resource: string;
  id: string;
  scope?: string;
  op: string;
  at: string;
}

export interface ChangeListener {
  userId: string;
  /** All changes received so far. */
  changes: ReceivedChange[];
  /** Resolves when a matching change is received; rejects when the stream ends first. */
  until(holds: (change: ReceivedChange) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stream with a signed-in user's access token. */
export async function listenToChanges(
  server: TestServer,
  person: { userId: string; accessToken: string },
): Promise<ChangeListener> {
  const stop = new AbortController();
  const reply = await fetch(`${server.origin}/api/internal/changes`, {
    headers: { authorization: `Bearer ${person.accessToken}`, 'x-requested-with': 'XMLHttpRequest' },
    signal: stop.signal,
  });
  expect(reply.headers.get('content-type')).toContain('text/event-stream');
  const changes: ReceivedChange[] = [];
  let wake = () => {};
  let ended = false;
  const done = (async () => {
    let text = '';
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data) changes.push(JSON.parse(data) as ReceivedChange);
      }
      wake();
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
      wake();
    });
  return {
    userId: person.userId,
    changes,
    async until(holds) {
      while (!changes.some(holds)) {
        if (ended) throw new Error('the stream ended before it told that');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      stop.abort();
      await done;
    },
  };
}
