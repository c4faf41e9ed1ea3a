// Full-text search of messages, on both database engines.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const bodies = {
  escaped: '{"title":"\\u30c7\\u30a3\\u30b9\\u30af\\nfull","host":"db-01.example.com"}',
  plain: '【障害】東京リージョンのＤＢサーバーが応答しません',
  other: '{"title":"CPU load","host":"web-02.example.com","note":"障と害は別"}',
  bytes: Buffer.from([0xff, 0x00, 0x41, 0x42]),
};

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let caller: AlertClient;
  let clock: ManualClock;
  let primary = '';
  const names = new Map<string, string>();

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    ({ primary } = await caller.make<{ primary: string }>('receive-slots', { displayName: 'search' }));
    for (const [name, body] of Object.entries(bodies)) {
      const reply = await post(primary, body as string);
      expect(reply.status).toBe(202);
      names.set(((await reply.json()) as { messageId: string }).messageId, name);
      clock.advance(1000);
    }
    await found();
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  /** Waits until all messages are evaluated and indexed. */
  async function found(): Promise<void> {
    await server!.settled();
    server!.services.messageIndex.wake();
    await server!.services.messageIndex.idle();
  }

  const search = async (words: string, more = '') => {
    const path = `message/list?search=${encodeURIComponent(words)}${more}`;
    return (await caller.list<{ messageId: string }>(path)).map(({ messageId }) => names.get(messageId));
  };

  test.each([
    ['ディスク', ['escaped']],
    ['ディスク full', ['escaped']],
    ['nfull', []],
    ['障害', ['plain']],
    ['DBサーバー 応答', ['plain']],
    ['害', ['other', 'plain']],
    ['example.com', ['other', 'escaped']],
    ['exam', ['other', 'escaped']],
    ['ampl', []],
    ['CPU db', []],
    ['AB', ['bytes']],
    ['---', []],
  ])('%s', async (words, expected) => {
    expect(await search(words)).toEqual(expected);
  });

  test('beside a filter, bounds, an order and a page', async () => {
    expect(await search('example', '&filter=summary co "CPU"')).toEqual(['other']);
    expect(await search('example', '&sort=receivedAt')).toEqual(['escaped', 'other']);
    expect(await search('example', '&sinceAt=2026-01-01T00:00:02Z')).toEqual(['other']);
    const page = await caller.callApi('GET', `${api}/message/list?search=example&limit=1&offset=1`);
    expect(page.data).toMatchObject({ total: 2, items: [{}] });
  });

  test('no more is counted than anybody reads, and always more than the page shows', async () => {
    const { database, spaceId } = server!.services;
    const { receiveSlotId } = await caller.make<{ receiveSlotId: string }>('receive-slots', {
      displayName: 'many',
    });
    await database.query(
      `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url,
         headers, body, size, summary, fingerprint)
       select gen_random_uuid(), $1, $2, 'webhook', 'primary', '2025-12-31T00:00:00Z', '', '{}', '', 0, '', ''
       from generate_series(1, 10010)`,
      [spaceId, receiveSlotId],
    );
    const page = async (limit: number, offset: number) => {
      const filter = `filter=receiveSlotId eq "${receiveSlotId}"`;
      const { data } = await caller.callApi(
        'GET',
        `${api}/message/list?${filter}&limit=${limit}&offset=${offset}`,
      );
      const { items, ...rest } = data as { items: unknown[]; total: number; totalIsLeast?: true };
      return { ...rest, count: items.length };
    };
    expect(await page(10, 0)).toEqual({ total: 10_001, totalIsLeast: true, limit: 10, offset: 0, count: 10 });
    expect(await page(10, 9_995)).toMatchObject({ total: 10_006, totalIsLeast: true, count: 10 });
    expect(await page(10, 10_000)).toEqual({ total: 10_010, limit: 10, offset: 10_000, count: 10 });
    await database.query('delete from message where receive_slot_id = $1', [receiveSlotId]);
  });

  test.each([
    'filter=size gt 100000000',
    'filter=summary eq "none"',
    'filter=receiveSlotKind eq "email"',
    'filter=receiveSlotKind eq "email"&search=example',
    'sort=-size',
    'sort=receiveSlotId',
    'offset=10000',
  ])('%s reads the messages in chunks or by an index', async (query) => {
    const statements = vi.spyOn(server!.services.database, 'query');
    const reply = await caller.callApi('GET', `${api}/message/list?${query}`);
    expect(reply.status, reply.text).toBe(200);
    const texts = statements.mock.calls.map(([one]) => (typeof one === 'string' ? one : one.text));
    statements.mockRestore();
    const whole = texts.filter((text) => text.includes('from message m') && !text.includes('= any('));
    expect(whole.every((text) => text.includes('as materialized'))).toBe(true);
  });

  test('orders by size and slot give each message once, from page to page', async () => {
    const { data } = await caller.callApi('GET', `${api}/message/list?limit=100`);
    const { items } = data as { items: { messageId: string; size: number }[] };
    const bySize = items.toSorted((a, b) => b.size - a.size).map(({ size }) => size);
    const found: number[] = [];
    for (let offset = 0; offset < items.length; offset += 1) {
      const page = await caller.callApi(
        'GET',
        `${api}/message/list?sort=-size,receiveSlotId&limit=1&offset=${offset}`,
      );
      expect(page.data).toMatchObject({ total: items.length });
      found.push((page.data as { items: { size: number }[] }).items[0]!.size);
    }
    expect(found).toEqual(bySize);
  });

  test('what cannot be searched says so', async () => {
    for (const path of [`${api}/scopes?search=x`, `${api}/message/list?search=${'x'.repeat(501)}`]) {
      const reply = await caller.callApi('GET', path);
      expect(reply.status, reply.text).toBe(400);
      expect(reply.data).toMatchObject({ invalidParams: [{ name: 'search' }] });
    }
  });

  test('a message that waits to be made findable is found after a restart', async () => {
    await server!.services.messageIndex.close();
    const reply = await post(primary, 'late arrival');
    names.set(((await reply.json()) as { messageId: string }).messageId, 'late');
    await server!.settled();
    const lacks = async () => {
      const { data } = await caller.callApi('GET', `${api}/message/list?search=late`);
      return (data as { incompleteSince?: string }).incompleteSince;
    };
    expect(await search('late')).toEqual([]);
    expect(await lacks()).toBeUndefined();
    const receivedAt = new Date(clock.now()).toISOString();
    clock.advance(6000);
    expect(await lacks()).toBe(receivedAt);
    await server!.restart();
    await found();
    expect(await search('late')).toEqual(['late']);
    expect(await lacks()).toBeUndefined();
  });
});
