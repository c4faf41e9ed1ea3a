// Names are found in the hosts file, in DNS and by the system resolver; those whose DNS servers do not respond
// delay no others and reach no thread.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createDnsLookup } from './dns-lookup.ts';
import type { ResolveHost } from './resolve-host.ts';

const [typeA, typeAaaa] = [1, 28];
const [serverFailure, nameError] = [2, 3];

/** What the DNS server of the test answers for a name: a response code, addresses by type, or nothing. */
const zone: Record<string, number | Record<number, number[][]>> = {
  'both.example': {
    [typeA]: [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
    [typeAaaa]: [[...Array(15).fill(0), 9]],
  },
  'one.example': { [typeA]: [[192, 0, 2, 3]] },
  'broken.example': serverFailure,
  'local.example': { [typeA]: [[192, 0, 2, 4]] },
};

let folder: string;
let hostsFile: string;
let server: Socket;
let queries: string[];
/** Names that the system resolver was asked for. */
let asked: string[];
let lookup: ResolveHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yagura-hosts-'));
  hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '# comment\n10.0.0.1\tLocal.example alias # two.example\nfe80::1 alias\nnonsense other.example\n',
  );
  server = createSocket('udp4', (query, { port, address }) => {
    const { name, type, question } = parseQuery(query);
    queries.push(name);
    if (name.startsWith('silent')) return;
    const answer = zone[name] ?? nameError;
    const [code, addresses] = typeof answer === 'number' ? [answer, []] : [0, answer[type] ?? []];
    server.send(encodeResponse(query, { code, question, type, addresses }), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [queries, asked] = [[], []];
  lookup = createDnsLookup({
    hostsFile,
    servers: [`127.0.0.1:${server.address().port}`],
    async system(name) {
      asked.push(name);
      if (name === 'searched') return [{ address: '10.0.0.2', family: 4 }];
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Name, type and bytes of the question (RFC 1035, section 4.1). */
function parseQuery(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

function encodeResponse(
  query: Buffer,
  answer: { code: number; question: Buffer; type: number; addresses: number[][] },
): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | answer.code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answer.addresses.length, 6);
  const records = answer.addresses.map((bytes) =>
    // A pointer to the name in the question, type, class IN, lifetime 0, length, address.
    Buffer.from([0xc0, 12, 0, answer.type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([header, answer.question, ...records]);
}

test.each([
  ['both.example', ['192.0.2.1', '192.0.2.2', '::9'], []],
  ['one.example', ['192.0.2.3'], []],
  ['local.example', ['10.0.0.1'], []],
  ['alias', ['10.0.0.1', 'fe80::1'], []],
  ['searched', ['10.0.0.2'], ['searched']],
])('%s has the addresses %j', async (name, addresses, bySystem) => {
  const found = await lookup(name);
  expect(found.map(({ address }) => address)).toEqual(addresses);
  expect(found.map(({ family }) => family)).toEqual(addresses.map((one) => (one.includes(':') ? 6 : 4)));
  expect(asked).toEqual(bySystem);
});

test('names of the hosts file are not asked for, and a machine without one has DNS', async () => {
  await lookup('alias');
  expect(queries).toEqual([]);
  const servers = [`127.0.0.1:${server.address().port}`];
  const [found] = await createDnsLookup({ hostsFile: join(folder, 'none'), servers })('local.example');
  expect(found!.address).toBe('192.0.2.4');
});

test.each([
  ['other.example', 'ENOTFOUND', ['other.example']],
  ['two.example', 'ENOTFOUND', ['two.example']],
  ['broken.example', 'ESERVFAIL', []],
])('%s is not found (%s)', async (name, code, bySystem) => {
  await expect(lookup(name)).rejects.toMatchObject({ code });
  expect(asked).toEqual(bySystem);
});

test('concurrent lookups of a name share one', async () => {
  const found = await Promise.all([lookup('one.example'), lookup('one.example')]);
  expect(found[0]).toEqual(found[1]);
  expect(queries).toEqual(['one.example', 'one.example']);
  await lookup('one.example');
  expect(queries).toHaveLength(4);
});

test('names whose servers do not respond delay no other and are not passed to the system', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const codes: unknown[] = [];
  const silent = Array.from({ length: 50 }, (_, n) =>
    lookup(`silent${n}.example`).catch(({ code }) => codes.push(code)),
  );
  expect((await lookup('one.example')).map(({ address }) => address)).toEqual(['192.0.2.3']);
  expect(codes).toEqual([]);
  await vi.advanceTimersByTimeAsync(5000);
  await Promise.all(silent);
  expect(new Set(codes)).toEqual(new Set(['ETIMEOUT']));
  expect(asked).toEqual([]);
});
