import { expect, test } from 'vitest';
import { networkPrefixOf } from './network-prefix.ts';

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['203.0.113.5:4711', '203.0.113.5'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::'],
  ['[2001:db8:1:2:3::4]', '2001:db8:1:2::'],
  ['[2001:db8:1:2:3::4]:4711', '2001:db8:1:2::'],
  ['[::ffff:203.0.113.5]:4711', '203.0.113.5'],
  ['unknown', 'unknown'],
  ['[unknown]:1', '[unknown]:1'],
  ['', ''],
])('%j is of the network %j', (text, network) => expect(networkPrefixOf(text)).toBe(network));
