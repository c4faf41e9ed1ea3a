import { describe, expect, test } from 'vitest';
import { quickFetch } from '../http/quick-fetch.ts';
import { changesOf, timesToLook } from './changes.ts';

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
    for await (const change of changesOf(cut(stream, size))) found.push(`${change.resource} ${change.id}`);
    expect(found).toEqual(['scope 1', '日本 2', 'event 3']);
  });

  test('gives up on a line without end', async () => {
    await expect(async () => {
      for await (const _ of changesOf(cut('x'.repeat(3_000_000), 65_536)));
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
  for await (const _ of timesToLook(session, 1, stop.signal, () => true)) {
    looks += 1;
    if (looks === 3) stop.abort();
  }
  expect(looks).toBe(3);
});
