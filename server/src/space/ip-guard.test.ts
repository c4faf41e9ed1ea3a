import { describe, expect, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { IpGuard, matchesAddress } from './ip-guard.ts';

describe('matches', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['0.0.0.0/0', '203.0.113.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['2001:db8::/32', '2001:db8:1::5', true],
    ['2001:db8::/32', '2001:db9::5', false],
    ['2001:DB8:0:0::1', '2001:db8::1', true],
    ['::1', '127.0.0.1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['192.0.2.0/24', 'nonsense', false],
    ['192.0.2.0/24', '', false],
  ])('%s and a caller at %s: %s', (address, caller, expected) => {
    expect(matchesAddress([{ address, remarks: '' }], caller)).toBe(expected);
  });
});

test.each([true, false])('a restriction holds while the feature is open: %s', async (active) => {
  const row = { enabled: true, addresses: [{ address: '192.0.2.0/24', remarks: '' }] };
  const database = {
    kind: 'embedded',
    query: async () => ({ rows: [row], rowCount: 1 }),
  } as unknown as Database;
  const changes = { listen: () => () => {} } as unknown as ChangeBus;
  const clock = new ManualClock();
  const guard = new IpGuard({ database, clock, log: () => {}, changes, spaceId: 'x', active });
  await guard.load();
  expect(guard.permits('192.0.2.7')).toBe(true);
  expect(guard.permits('198.51.100.7')).toBe(!active);
  row.enabled = false;
  await guard.load();
  expect(guard.permits('198.51.100.7')).toBe(true);
});
