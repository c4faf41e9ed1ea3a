// Message counts by day and month, on a test clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const hour = 3_600_000;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let slot = '';

  beforeAll(async () => {
    clock = new ManualClock(Date.parse('2026-01-31T14:30:00.000Z'));
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    const line = await caller.createAlertPath();
    const other = await caller.createAlertPath();
    slot = line.receiveSlotId;
    // 23:30 in Tokyo; February begins there within the hour.
    await line.send(1);
    await line.send(7);
    await caller.advance(hour);
    await line.send(-1);
    await other.send(1);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const counts = (path: string) => caller.list(`message/count/${path}`);

  test.each([
    ['the clock of UTC', {}, '2026-01-31', [0, 4], [0, 3]],
    ['the clock of Tokyo', { timeZone: 'Asia/Tokyo' }, '2026-02-01', [0, 2, 2], [0, 1, 2]],
    ['an offset', { timeZone: 'UTC+9' }, '2026-02-01', [0, 2, 2], [0, 1, 2]],
    ['one slot', { receiveSlotId: 'slot' }, '2026-01-31', [0, 3], [0, 2]],
  ])('days by %s', async (_, asked, today, received, matched) => {
    const query = new URLSearchParams({ days: String(received.length), ...asked });
    if (query.has('receiveSlotId')) query.set('receiveSlotId', slot);
    const days = await counts(`daily?${query}`);
    expect(days.map((day) => day.received)).toEqual(received);
    expect(days.map((day) => day.matched)).toEqual(matched);
    expect(days.at(-1)).toMatchObject({ date: today });
  });

  test('months follow one another without gaps, also where none arrived', async () => {
    expect(await counts('monthly?months=3&timeZone=Asia/Tokyo')).toEqual([
      { month: '2025-12', received: 0, matched: 0 },
      { month: '2026-01', received: 2, matched: 1 },
      { month: '2026-02', received: 2, matched: 2 },
    ]);
    expect((await counts('monthly')).map(({ month }) => month)).toEqual([
      ...Array.from({ length: 11 }, (_, index) => `2025-${String(index + 2).padStart(2, '0')}`),
      '2026-01',
    ]);
    const reply = await caller.callApi('GET', `${api}/message/count/monthly?limit=2&offset=11`);
    expect(reply.data).toMatchObject({ total: 12, limit: 2, offset: 11, items: [{ month: '2026-01' }] });
  });

  test.each([
    ['daily?days=0', 'days'],
    ['daily?days=401', 'days'],
    ['daily?days=x', 'days'],
    ['daily?days=1&days=2', 'days'],
    ['daily?timeZone=Mars/Olympus', 'timeZone'],
    ['daily?receiveSlotId=x', 'receiveSlotId'],
    ['monthly?months=61', 'months'],
    ['monthly?limit=0', 'limit'],
  ])('%s is refused at its field', async (path, name) => {
    const reply = await caller.callApi('GET', `${api}/message/count/${path}`);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  });
});
