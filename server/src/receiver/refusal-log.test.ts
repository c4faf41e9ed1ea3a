import { expect, test } from 'vitest';
import type { Refusal } from '../alerthub/slots/refusal.ts';
import type { SlotAddress } from '../alerthub/slots/slot-directory.ts';
import { ManualClock } from '../common/clock.ts';
import type { LogLine } from '../common/log.ts';
import { RefusalLog } from './refusal-log.ts';

const slotAt = (receiveSlotId: string): SlotAddress => ({
  spaceId: 's',
  receiveSlotId,
  kind: 'webhook',
  endpoint: 'primary',
  disabled: false,
});
const sender = { method: 'POST', sender: '192.0.2.1', userAgent: 'curl' };

function createLog() {
  const clock = new ManualClock();
  const lines: LogLine[] = [];
  const refused: Refusal[][] = [];
  const log = (line: LogLine) => void lines.push(line);
  const refusals = new RefusalLog({ clock, log, onRefused: (list) => void refused.push(list) });
  return { clock, lines, refused, refusals };
}

test('refusals of one sender for one reason are counted', () => {
  const { clock, refused, refusals } = createLog();
  refusals.record(slotAt('a'), 'too-large', sender);
  clock.advance(500);
  refusals.record(slotAt('a'), 'too-large', sender);
  refusals.record(slotAt('a'), 'rate-limit', { ...sender, userAgent: 'x'.repeat(1000) });
  expect(refused).toEqual([]);
  clock.advance(500);
  expect(refused).toEqual([
    [
      expect.objectContaining({ reason: 'too-large', count: 2, refusedAt: clock.now() - 500, ...sender }),
      expect.objectContaining({ reason: 'rate-limit', count: 1, userAgent: 'x'.repeat(200) }),
    ],
  ]);
  refusals.record(slotAt('a'), 'too-large', sender);
  clock.advance(1000);
  expect(refused[1]).toMatchObject([{ count: 1 }]);
});

test('a flood from many senders is limited', () => {
  const { clock, refused, refusals } = createLog();
  for (let index = 0; index < 5000; index++)
    refusals.record(slotAt('a'), 'too-large', { ...sender, sender: String(index) });
  clock.advance(1000);
  expect(refused.map((list) => list.length)).toEqual([1000]);
});

test('unknown slots are logged once a minute, with their number', () => {
  const { clock, lines, refusals } = createLog();
  for (let index = 0; index < 10; index++) refusals.recordUnknown(sender);
  expect(lines).toMatchObject([{ level: 'warn', count: 1, sender: '192.0.2.1' }]);
  clock.advance(60_000);
  refusals.recordUnknown(sender);
  expect(lines).toMatchObject([{ count: 1 }, { count: 10 }]);
});
