import { expect, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import type { AuditEntry } from './audit-log.ts';
import { createBlockedRequestRecorder } from './blocked-requests.ts';

function recorder() {
  const clock = new ManualClock();
  const entries: AuditEntry[] = [];
  const record = createBlockedRequestRecorder({ enqueue: (entry) => void entries.push(entry) }, clock);
  const block = (address: string) =>
    record({ address, userAgent: 'curl', method: 'GET', path: '/api/v1/users' });
  return { clock, entries, block };
}

test('a blocked address is recorded once a minute, with what it asked for', () => {
  const { clock, entries, block } = recorder();
  block('192.0.2.1');
  clock.advance(59_999);
  block('192.0.2.1');
  block('192.0.2.2');
  expect(entries.map(({ from }) => from?.address)).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(entries[0]).toMatchObject({ action: 'GET', outcome: 'refused', detail: 'GET /api/v1/users' });
  clock.advance(1);
  block('192.0.2.1');
  expect(entries).toHaveLength(3);
});

test('of a flood of addresses the first thousand of a minute are recorded, and after it others again', () => {
  const { clock, entries, block } = recorder();
  for (let index = 0; index < 1_001; index++) block(`2001:db8::${index.toString(16)}`);
  expect(entries).toHaveLength(1_000);
  clock.advance(60_000);
  block('192.0.2.1');
  expect(entries).toHaveLength(1_001);
});
