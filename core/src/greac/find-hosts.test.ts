import { expect, test } from 'vitest';
import { findHosts } from './find-hosts.ts';

test.each<[string, unknown, string[]]>([
  ['an address', 'disk full on 10.1.2.3', ['10.1.2.3', 'disk', 'full', 'on']],
  ['an address with a port, and an invalid one', '10.1.2.3:22 10.1.2.300', ['10.1.2.3']],
  ['an IPv6 address in brackets', 'http://[2001:DB8::5]:80/', ['2001:db8::5', 'http']],
  ['a name in a URL', 'https://Web-01.Example.com:8443/a', ['web-01.example.com', 'https']],
  ['a name before a full stop', '(db1.)', ['db1']],
  ['a name in an address of a user', 'root@db1', ['db1', 'root']],
  ['no times and numbers', '2026-01-02 12:30:05 +0900 42 1.5', []],
  ['values of an object, not their names', { host: ['db1', { n: 7, at: null }] }, ['db1']],
  ['the same host once', ['db1', 'DB1'], ['db1']],
])('%s', (_what, value, hosts) => {
  expect(findHosts(value)).toEqual(hosts);
});

test('the likely ones come first, and there are not too many', () => {
  const words = Array.from({ length: 500 }, (_, index) => `word${'x'.repeat(index % 60)}y`);
  const hosts = findHosts([...words, 'web-7', 'www.example.com', '192.0.2.1']);
  expect(hosts.slice(0, 3)).toEqual(['192.0.2.1', 'www.example.com', 'web-7']);
  expect(hosts.length).toBeLessThanOrEqual(50);
  expect(
    findHosts(Array.from({ length: 50 }, (_, index) => `${index}a.${'b'.repeat(60)}`)).join('').length,
  ).toBeLessThan(2001);
});

test.each([
  ['one text', (words: string[]) => words.join(' ')],
  ['many values', (words: string[]) => words],
])('of %s the first 10,000 words are searched', (_what, contentOf) => {
  const words = (count: number) => [...Array<string>(count).fill(':1'), '10.0.0.1'];
  expect(findHosts(contentOf(words(9_999)))).toEqual(['10.0.0.1']);
  expect(findHosts(contentOf(words(10_000)))).toEqual([]);
});

test('hostile values take no long time and no deep stack', () => {
  let deep: unknown = '10.0.0.1';
  for (let depth = 0; depth < 10_000; depth++) deep = [deep];
  expect(findHosts(deep)).toEqual([]);
  expect(findHosts(`${':.-'.repeat(300_000)}`)).toEqual([]);
  expect(findHosts(`${'a-'.repeat(300_000)} 10.0.0.1`)).toEqual([]);
});
