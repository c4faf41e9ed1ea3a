import { expect, test } from 'vitest';
import type { ScanPolicy } from '../site/policy.ts';
import { estimateScan } from './estimate.ts';

const policy: ScanPolicy = {
  ...{ allowed: ['10.8.0.0/24'], forbidden: [] },
  ...{ ports: [22, 80, 443], packetsPerSecond: 100, parallelHosts: 8 },
};
const settings = { seeds: ['10.8.0.8/30'], allowed: [], forbidden: [] };

test.each([
  ['the network of a link: one request for each address', '52:54:00:00:00:01', 4],
  ['the network of a tunnel, which has no hardware addresses: each port', '00:00:00:00:00:00', 4 * 3],
])('estimates the packets for %s', (_name, macaddr, packets) => {
  const own = { ifname: 'own0', address: '10.8.0.1', network: '10.8.0.0/24', macaddr };
  expect(estimateScan(policy, settings, [own], {})).toMatchObject({ addresses: 4, packets });
});
