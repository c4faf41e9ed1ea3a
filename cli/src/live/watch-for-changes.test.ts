import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { parseChanges, watchForChanges } from './watch-for-changes.ts';

const stream = [
  ': hello\n\n',
  'event: change\ndata: {"resource":"scope","id":"1","op":"update","at":"x"}\n\n',
  'event: other\ndata: {"resource":"no"}\n\n',
  'event:change\r\ndata:{"resource":"日本",\r\ndata:"id":"2"}\r\n\r\n',
  'event: change\ndata: no json\n\n',
  'event: change\ndata: null\n\n',
  'id: 3\nretry: 10\nevent: change\ndata: {"resource":"event","id":"3"}\n\n',
  'event: change\ndata: {"resource":"cut","id":"4"}\n',
].join('');

async function* cut(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

describe('changesOf', () => {
  test.each([1, 2, 3, 7, 64, 100_000])('reads the events from pieces of %i bytes', async (size) => {
    const found: string[] = [];
    for await (const change of parseChanges(cut(stream, size))) found.push(`${change.resource} ${change.id}`);
    expect(found).toEqual(['scope 1', '日本 2', 'event 3']);
  });

  test('gives up on a line without end', async () => {
    await expect(async () => {
      for await (const _ of parseChanges(cut('x'.repeat(3_000_000), 65_536)));
    }).rejects.toThrow('too large');
  });
});

test('timesToLook comes round by itself, and ends when aborted', async () => {
  const stop = new AbortController();
  const session = {
    origin: 'http://localhost:1',
    profile: undefined,
    credential: { kind: 'token' as const, token: 't' },
    transport: { origin: 'http://localhost:1', fetch: quickFetch },
  };
  let looks = 0;
  for await (const _ of watchForChanges(session, 1, stop.signal, () => true)) {
    looks += 1;
    if (looks === 3) stop.abort();
  }
  expect(looks).toBe(3);
});

describe('a live feed', () => {
  /** Polls a scripted feed, one reply at a time, until the condition holds. */
  async function watched(
    answers: ((response: ServerResponse) => void)[],
    until: (options: { looks: number; opened: number }) => boolean,
    credential: 'person' | 'token' = 'person',
  ) {
    let opened = 0;
    let looks = 0;
    const stop = new AbortController();
    const server = createServer((request, response) => {
      opened += 1;
      expect(request.url).toBe('/api/internal/changes');
      (answers.shift() ?? (() => undefined))(response);
      if (until({ looks, opened })) stop.abort();
    });
    const origin = await listenOnLoopback(server);
    const session = {
      origin,
      profile: undefined,
      credential: { kind: credential } as never,
      transport: { origin, fetch: quickFetch },
    };
    try {
      for await (const _ of watchForChanges(
        session,
        600_000,
        stop.signal,
        ({ resource }) => resource === 'scope',
      )) {
        looks += 1;
        if (until({ looks, opened })) stop.abort();
      }
      return { looks, opened };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const tells = (...resources: string[]) => {
    return (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const resource of resources)
        response.write(`event: change\ndata: ${JSON.stringify({ resource, id: '1' })}\n\n`);
    };
  };
  const tellsAndBreaks = (resource: string) => (response: ServerResponse) => {
    tells(resource)(response);
    setImmediate(() => response.destroy());
  };

  test('is opened again when it breaks, and heard again', async () => {
    const answers = [tellsAndBreaks('scope'), tells('scope')];
    expect(await watched(answers, ({ looks }) => looks === 2)).toEqual({ looks: 2, opened: 2 });
  });

  test('is tried again when the server fails', async () => {
    const fails = (response: ServerResponse) => response.writeHead(503).end();
    const answers = [fails, tells('scope')];
    expect(await watched(answers, ({ looks }) => looks === 1)).toEqual({ looks: 1, opened: 2 });
  });

  test('asks for no look at what is of no concern, and for one look at several changes', async () => {
    const answers = [tellsAndBreaks('rule'), tells('scope', 'scope', 'scope')];
    expect(await watched(answers, ({ looks }) => looks === 1)).toEqual({ looks: 1, opened: 2 });
  });

  const opens = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ready\n\n');
  };
  const breaks = (response: ServerResponse) => {
    opens(response);
    setImmediate(() => response.destroy());
  };
  const refuses = (status: number) => (response: ServerResponse) => response.writeHead(status).end();

  test('asks for a look once it is open again, because what was missed is not told', async () => {
    const answers = [breaks, opens];
    expect(await watched(answers, ({ looks }) => looks === 1)).toEqual({ looks: 1, opened: 2 });
  });

  test('asks for a look when it cannot be opened again, and for another when it can', async () => {
    const answers = [breaks, refuses(503), opens];
    expect(await watched(answers, ({ looks }) => looks === 2)).toEqual({ looks: 2, opened: 3 });
  });

  test('is tried again when there are too many requests', async () => {
    const answers = [refuses(429), tells('scope')];
    expect(await watched(answers, ({ looks }) => looks === 1)).toEqual({ looks: 1, opened: 2 });
  });
});
