import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { BlockedAddress, createAddressGuard } from './address-guard.ts';
import { isPublicAddress, parseAddress } from './address-range.ts';
import { createSystemLookup } from './dns/system-lookup.ts';

function named(answers: Record<string, string[]>) {
  return async (name: string) => {
    const found = answers[name];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

function look(
  guard: ReturnType<typeof createAddressGuard>,
  host: string,
  port = 443,
  wanted: { all?: boolean; family?: number } = { all: true },
): Promise<LookupAddress[] | string> {
  return new Promise((resolve, reject) =>
    guard.lookup(port)(host, wanted, (error, found) => (error ? reject(error) : resolve(found))),
  );
}

const notPublic = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
];
test.each(notPublic)('%s is not of the public internet', (address) => {
  expect(isPublicAddress(parseAddress(address)!)).toBe(false);
});

const isPublic = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
];
test.each(isPublic)('%s is of the public internet', (address) => {
  expect(isPublicAddress(parseAddress(address)!)).toBe(true);
});

const disguises = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '2130706433',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  '0',
  '[::1]',
  '::1',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
  '169.254.169.254',
  '0xa9fea9fe',
  '[fd00:ec2::254]',
  '',
  '127.0.0.1/x',
  'user@127.0.0.1',
];
test.each(disguises)('the guard refuses %j in whatever spelling', (host) => {
  const guard = createAddressGuard({ allow: [], resolve: named({}) });
  expect(() => guard.check(host, 80)).toThrow(BlockedAddress);
});

test.each(['8.8.8.8', '[2606:4700::1]', 'example.com', 'localhost'])(
  'the guard lets %s pass to the next step',
  (host) => {
    const guard = createAddressGuard({ allow: [], resolve: named({}) });
    expect(() => guard.check(host, 80)).not.toThrow();
  },
);

test('of the addresses of a name only the permitted ones are handed out, in order', async () => {
  const resolve = named({ 'mixed.example': ['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1'] });
  const guard = createAddressGuard({ allow: [], resolve });
  expect(await look(guard, 'mixed.example')).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  expect(await look(guard, 'mixed.example', 443, {})).toBe('8.8.8.8');
  expect(await look(guard, 'mixed.example', 443, { all: true, family: 6 })).toEqual([
    { address: '2606:4700::1', family: 6 },
  ]);
});

test.each([
  ['private', ['192.168.1.1']],
  ['several private', ['127.0.0.1', '::1', '10.0.0.1']],
  ['mapped', ['::ffff:10.0.0.1']],
  ['metadata', ['169.254.169.254']],
  ['unreadable', ['not an address']],
])('a name with only %s addresses is blocked', async (_, addresses) => {
  const guard = createAddressGuard({ allow: [], resolve: named({ 'inside.example': addresses }) });
  await expect(look(guard, 'inside.example')).rejects.toMatchObject({
    name: 'BlockedAddress',
    host: 'inside.example',
    address: addresses[0],
  });
});

test('a name that does not resolve keeps the code of the resolver', async () => {
  const guard = createAddressGuard({ allow: [], resolve: named({ 'empty.example': [] }) });
  await expect(look(guard, 'none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(look(guard, 'empty.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

const allowances: [allow: string, host: string, port: number, permitted: boolean][] = [
  ['127.0.0.0/8', '127.0.0.1', 80, true],
  ['127.0.0.0/8', '127.1', 80, true],
  ['127.0.0.0/8', '[::ffff:127.0.0.1]', 80, true],
  ['127.0.0.0/8', '[64:ff9b::127.0.0.1]', 80, true],
  ['127.0.0.0/8', '10.0.0.1', 80, false],
  ['127.0.0.0/8', '[::1]', 80, false],
  ['fd00::/8', '[fd00:ec2::254]', 80, true],
  ['10.1.2.3', '10.1.2.3', 9, true],
  ['10.1.2.3', '10.1.2.4', 9, false],
  ['::1', '[::1]', 80, true],
  ['[::1]', '[::1]', 80, true],
  ['[::1]:8080', '[::1]', 8080, true],
  ['[::1]:8080', '[::1]', 8081, false],
  ['10.1.2.3:8080', '10.1.2.3', 8080, true],
  ['10.1.2.3:8080', '10.1.2.3', 8081, false],
  ['10.1.2.3:1', '10.1.2.3', 1, true],
  ['10.1.2.3:65535', '10.1.2.3', 65_535, true],
];
test.each(allowances)('with %s allowed, %s port %i: %s', (allow, host, port, permitted) => {
  const guard = createAddressGuard({ allow: ['', ' ', allow], resolve: named({}) });
  if (permitted) expect(() => guard.check(host, port)).not.toThrow();
  else expect(() => guard.check(host, port)).toThrow(BlockedAddress);
});

const namedAllowances: [allow: string, host: string, port: number, permitted: boolean][] = [
  ['gate.example', 'gate.example', 443, true],
  ['Gate.Example.', 'GATE.example', 443, true],
  ['gate.example', 'gate.example.', 443, true],
  ['gate.example', 'other.example', 443, false],
  ['gate.example', 'sub.gate.example', 443, false],
  ['gate.example:8443', 'gate.example', 8443, true],
  ['gate.example:8443', 'gate.example', 443, false],
  ['10.0.0.0/8', 'gate.example', 443, true],
  ['10.0.0.5:443', 'gate.example', 443, true],
  ['192.168.0.0/16', 'gate.example', 443, false],
];
test.each(namedAllowances)(
  'with %s allowed, the private name %s port %i: %s',
  async (allow, host, port, permitted) => {
    const resolve = named({
      'gate.example': ['10.0.0.5'],
      'other.example': ['10.0.0.5'],
      'sub.gate.example': ['10.0.0.5'],
    });
    const guard = createAddressGuard({ allow: [allow], resolve });
    if (permitted) expect(await look(guard, host, port)).toEqual([{ address: '10.0.0.5', family: 4 }]);
    else await expect(look(guard, host, port)).rejects.toBeInstanceOf(BlockedAddress);
  },
);

test.each([
  '10.0.0.0/33',
  'a b',
  'gate.example:0',
  'gate.example:65536',
  'http://gate.example',
  '1.2.3.4.5',
  '::1/200',
])('an allow list with %j is refused', (entry) => {
  expect(() => createAddressGuard({ allow: [entry] })).toThrow(JSON.stringify(entry));
});

test('at most two names are asked for at once, and one name once', async () => {
  const asked: string[] = [];
  const answer = new Map<string, () => void>();
  const lookup = createSystemLookup((name) => {
    asked.push(name);
    return new Promise((resolve) => answer.set(name, () => resolve([{ address: name, family: 4 }])));
  });
  const results = ['a', 'b', 'c', 'd', 'a', 'd'].map(lookup);
  expect(asked).toEqual(['a', 'b']);
  answer.get('a')!();
  await results[0];
  await Promise.resolve();
  expect(asked).toEqual(['a', 'b', 'c']);
  for (const name of ['b', 'c']) answer.get(name)!();
  await Promise.all([results[1], results[2]]);
  answer.get('d')!();
  expect((await Promise.all(results)).map(([found]) => found?.address)).toEqual([
    'a',
    'b',
    'c',
    'd',
    'a',
    'd',
  ]);
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
  const again = lookup('a');
  expect(asked).toHaveLength(5);
  answer.get('a')!();
  await again;
});

test('a name that fails frees its place', async () => {
  let calls = 0;
  const lookup = createSystemLookup(async () => {
    calls += 1;
    throw new Error('down');
  });
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(lookup));
  expect(outcomes.map((one) => one.status)).toEqual(Array(5).fill('rejected'));
  expect(calls).toBe(5);
});
