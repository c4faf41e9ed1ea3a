// Devices that answer in the worst way: each is read to an end, with the reason, and nothing of it is taken for data.
import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import { afterEach, describe, expect, test } from 'vitest';
import { defaultLimits, SnmpUsage } from '../../src/collect/snmp/snmp-limits.ts';
import { SnmpSession } from '../../src/collect/snmp/snmp-session.ts';
import { readDevice } from './read-device.ts';
import { type Binding, type DeviceOptions, type SnmpDevice, startSnmpDevice } from './snmp-device.ts';
import { switchVariables } from './switch-variables.ts';
import { testSnmpCredential } from './test-snmp-credential.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const usual = switchVariables({
  ...{ name: 'sw', mac: '00:1a:00:00:0a:00', ports: ['Gi0/1', 'Gi0/2'] },
  lldp: [{ port: 1, remotePort: 'p1', name: 'other' }],
});

async function start(options: Partial<DeviceOptions>): Promise<SnmpDevice> {
  const device = await startSnmpDevice({ views: { public: usual }, ...options });
  cleanups.push(() => device.close());
  return device;
}

const read = (device: SnmpDevice, limits = {}) =>
  readDevice(testSnmpCredential('snmp/a.toml', device.port, 'public'), { limits });

const forwarding = '1.3.6.1.2.1.17.4.3.1.2';
const isForwarding = (oids: readonly string[]) => oids.some((oid) => oid.startsWith(forwarding));
/** Other tables are as usual. */
const onForwarding =
  (answer: (oids: string[], turn: number) => Binding[] | Buffer | 'nothing'): DeviceOptions['answer'] =>
  ({ oids }, bindings) =>
    isForwarding(oids) ? answer(oids, turns++) : bindings;
let turns = 0;
afterEach(() => {
  turns = 0;
});

/** Everything but the forwarding table, which is left out with this code. */
const withoutForwarding = (code: string) => ({
  value: {
    codes: [code],
    part: {
      learnedBy: [{ group: 'neighbors', source: 'lldp' }],
      fields: { neighbors: [{ remoteName: 'other' }], system: { serial: 'SER-sw' } },
    },
  },
});

describe('a table', () => {
  test.each<[string, string, NonNullable<DeviceOptions['answer']> | undefined]>([
    [
      'that repeats',
      'SNMP_OUT_OF_ORDER',
      onForwarding(() => [
        [`${forwarding}.0.0.0.0.0.2`, 1],
        ['1.3.6.1.2.1.17.4.3.1.3.0.0.0.0.0.2', 3],
        [`${forwarding}.0.0.0.0.0.2`, 1],
      ]),
    ],
    [
      'that goes backwards',
      'SNMP_OUT_OF_ORDER',
      onForwarding((_, turn) => [
        [`${forwarding}.0.0.0.0.${9 - turn}.2`, 1],
        [`1.3.6.1.2.1.17.4.3.1.3.0.0.0.0.${9 - turn}.2`, 3],
      ]),
    ],
    ['that answers nothing', 'SNMP_MALFORMED', onForwarding(() => [])],
    [
      'that is no SNMP',
      'SNMP_MALFORMED',
      onForwarding(() => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
    ['of a cut message', 'SNMP_MALFORMED', onForwarding(() => Buffer.from([0x30, 0x82, 0xff, 0xff, 2, 1]))],
    ['that is silent', 'TIMEOUT', onForwarding(() => 'nothing')],
    [
      'with an unknown type',
      'SNMP_MALFORMED',
      onForwarding((oids) =>
        oids.map((oid): Binding => [`${oid}.0.0.0.0.0.2`, { raw: Buffer.from([0x99, 1, 1]) }]),
      ),
    ],
  ])('%s is left out', async (_, code, answer) => {
    const result = await read(await start({ answer: answer! }));
    expect(result).toMatchObject(withoutForwarding(code));
  });

  test('without end is cut at its rows', async () => {
    const device = await start({
      answer: onForwarding((oids, turn) =>
        Array.from({ length: 40 }, (_, at) => {
          const number = Math.floor(at / oids.length) + turn * 20;
          const column = oids[at % oids.length]!.startsWith(forwarding) ? 2 : 3;
          const index = `2.0.${number >> 16}.${(number >> 8) & 255}.${number & 255}.1`;
          return [`1.3.6.1.2.1.17.4.3.1.${column}.${index}`, column === 2 ? 1 : 3] as Binding;
        }),
      ),
    });
    const result = await read(device, { rows: 200 });
    if ('code' in result) throw new Error(result.code);
    const found = result.value.part.fields.neighbors!.filter(({ protocol }) => protocol === 'fdb');
    expect(found).toHaveLength(200);
    expect(device.requests.filter(({ oids }) => isForwarding(oids)).length).toBeLessThan(15);
  });

  test('longer than what is stored loses whole ports, which is told', async () => {
    const number = (at: number) => at.toString(16).padStart(2, '0');
    const uplink = Array.from(
      { length: inventoryLimits.neighbors },
      (_, at) => [2, `02:00:00:00:${number(at >> 8)}:${number(at & 255)}`] as const,
    );
    const device = await start({
      views: {
        public: switchVariables({
          ...{ name: 'sw', mac: '00:1a:00:00:0a:00', ports: ['Gi0/1', 'Gi0/2'] },
          learned: [[1, '00:50:56:00:00:01'], ...uplink],
        }),
      },
    });
    expect(await read(device)).toMatchObject({
      value: {
        codes: ['LIST_TOO_LONG'],
        part: { fields: { neighbors: [{ ifname: 'Gi0/1', macaddr: '00:50:56:00:00:01' }] } },
      },
    });
  });

  test.each([
    ['bytes', { bytes: 3000 }, 'TOO_MUCH_OUTPUT'],
    ['packets', { packets: 4 }, 'TOO_MUCH_OUTPUT'],
    ['time', { hostMs: -1 }, 'TIMEOUT'],
  ])('that exceeds the %s of a host ends the reading', async (_, limits, code) => {
    const device = await start({});
    const result = await read(device, limits);
    if (code === 'TIMEOUT') expect(result).toEqual({ code: 'SNMP_SILENT' });
    else expect(result).toMatchObject({ value: { codes: [code] } });
    expect(device.requests.length).toBeLessThan(6);
  });

  test('is asked for in smaller parts when large answers do not arrive', async () => {
    const device = await start({
      answer: (_, bindings) => (bindings.length > 12 ? 'nothing' : bindings),
    });
    const result = await read(device);
    expect(result).toMatchObject({
      value: { codes: [], part: { fields: { neighbors: [{ remoteName: 'other' }] } } },
    });
  });
});

test('values of wrong types and sizes are ignored, and the rest is kept', async () => {
  const huge = 'x'.repeat(30_000);
  const device = await start({
    views: {
      public: {
        ...usual,
        // The name of the first port is a number, the address of the second has the wrong length.
        '1.3.6.1.2.1.31.1.1.1.1.10101': 7,
        '1.3.6.1.2.1.2.2.1.6.10102': Buffer.alloc(200, 1),
        '1.3.6.1.2.1.2.2.1.8.10102': 99,
        '1.3.6.1.2.1.4.20.1.2.10.0.0.1': 'port',
        '1.3.6.1.2.1.4.20.1.2.300.0.0.1': 10_101,
        '1.3.6.1.2.1.4.20.1.2.10.0.0.2': 10_101,
        '1.3.6.1.2.1.4.20.1.3.10.0.0.2': { ip: '255.0.255.0' },
        '1.3.6.1.2.1.4.24.4.1.5.10.9.0.0.255.255': 10_101,
        '1.3.6.1.2.1.1.5.0': `name\u0000\u001b[31m${huge}`,
        '1.0.8802.1.1.2.1.4.1.1.9.0.1.1': Buffer.from([0xff, 0xfe, 0x41]),
        '1.3.6.1.6.3.10.2.1.1.0': Buffer.alloc(3),
      },
    },
  });
  const result = await read(device);
  if ('code' in result) throw new Error(result.code);
  const { fields, hostname } = result.value.part;
  expect(fields.interfaces).toEqual([
    { ifname: 'GigabitEthernet0/1', macaddr: '00:1a:00:00:0a:01', linkState: 'up', addr: '10.0.0.2' },
    { ifname: 'Gi0/2' },
  ]);
  expect(hostname).toBe(`name [31m${huge}`.slice(0, 255));
  expect(fields.neighbors).toEqual([
    { ifname: 'Gi0/1', protocol: 'lldp', remoteIfname: 'p1', remoteName: 'ÿþA' },
  ]);
  expect(fields.signatures).toBeUndefined();
  expect(JSON.stringify(fields)).not.toContain('null');
});

test('a device that answers late is waited for longer, and for all its further answers', async () => {
  const delayMs = 60;
  const device = await start({ delayMs });
  const limits = { ...defaultLimits, timeoutMs: 20, firstAttempts: 8 };
  const usage = new SnmpUsage(limits, () => performance.now());
  const session = new SnmpSession(
    { address: device.address, port: device.port, account: { community: 'public' } },
    { admit: async () => undefined, usage, signal: new AbortController().signal },
  );
  cleanups.push(() => session.close());
  const name = '1.3.6.1.2.1.1.5.0';
  expect(String((await session.get([name])).get(name))).toBe('sw');
  expect(usage.answerTime.timeoutMs(0)).toBeGreaterThanOrEqual(delayMs);
});

test('an answer from another port is not taken', async () => {
  expect(await read(await start({ answerFrom: 'another port' }))).toEqual({ code: 'SNMP_SILENT' });
});

test('a port on which nothing listens is told apart from silence, at once', async () => {
  const device = await start({});
  await device.close();
  cleanups.length = 0;
  const credential = testSnmpCredential('snmp/a.toml', device.port, 'public');
  const result = await readDevice(credential, { limits: { timeoutMs: 30_000 } });
  expect(result).toEqual({ code: 'SNMP_PORT_CLOSED' });
});

test('an abort ends the wait for an answer', async () => {
  const device = await start({ answer: () => 'nothing' });
  const controller = new AbortController();
  const reading = readDevice(testSnmpCredential('snmp/a.toml', device.port, 'public'), {
    signal: controller.signal,
    limits: { timeoutMs: 30_000 },
  });
  await expect.poll(() => device.requests.length).toBe(1);
  controller.abort(new Error('stop'));
  await expect(reading).rejects.toThrow('stop');
});

test('no packet is sent that the policy does not admit', async () => {
  const device = await start({});
  let left = 3;
  const result = await readDevice(testSnmpCredential('snmp/a.toml', device.port, 'public'), {
    admit: async () => {
      if (left-- <= 0) throw new Error('NOT_ALLOWED_BY_SITE');
    },
  });
  expect(device.requests).toHaveLength(3);
  expect(result).toMatchObject({ value: { codes: ['NOT_ALLOWED_BY_SITE'] } });
});
