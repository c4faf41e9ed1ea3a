// What scan settings accept, and how many addresses a scan with them starts from.
import { expect, test } from 'vitest';
import { countSeeds, maxSeedAddresses, scanSettings } from './scan-settings.ts';

test.each([
  [[], 0],
  [['10.0.0.1'], 1],
  [['10.0.0.0/31', '10.0.0.1/32'], 2],
  [['10.0.0.0/24', '10.0.0.77/24', '10.0.0.5'], 256],
  [['10.0.0.0/24', '10.0.1.0/24', '10.0.0.128/25'], 512],
  [['10.0.5.0/24', '10.0.0.0/16', '10.0.255.255', '10.1.0.0'], 65_537],
  [['0.0.0.0/0', '255.255.255.255'], 2 ** 32],
])('starting addresses of %j are counted once, also where networks overlap', (seeds, count) => {
  expect(countSeeds(seeds)).toBe(count);
});

test('a network with a part of it named again is within the limit', () => {
  expect(countSeeds(['10.0.0.0/16', '10.0.5.0/24'])).toBe(maxSeedAddresses);
});

test('a second override for a Ksocket is refused by its field', () => {
  const id = (last: number) => `0190a0a0-0000-7000-8000-00000000000${last}`;
  const parse = (ids: string[]) =>
    scanSettings.input!.safeParse({ perKsocket: ids.map((ksocketSlotId) => ({ ksocketSlotId })) });
  expect(parse([id(1), id(2)]).success).toBe(true);
  expect(parse([id(1), id(2), id(1).toUpperCase()]).error?.issues).toMatchObject([
    { path: ['perKsocket', 2, 'ksocketSlotId'], params: { word: 'rule.keyExists' } },
  ]);
});
