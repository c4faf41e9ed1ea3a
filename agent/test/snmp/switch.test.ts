// Stub switches: what a scan reports of them, and the layer 2 diagram that follows from it.
import { randomUUID } from 'node:crypto';
import type { AgentMessage, ScannedHost } from '@yagura/core/ksocket/agent-protocol';
import type { DiagramSource } from '@yagura/core/sonar/diagram/diagram-source';
import { buildLayer2 } from '@yagura/core/sonar/diagram/layer2';
import { afterEach, describe, expect, test } from 'vitest';
import type { Credential } from '../../src/settings/credential-files.ts';
import { startAgentUnderTest } from '../agent-under-test.ts';
import { startTestHub } from '../test-hub.ts';
import { readDevice } from './read-device.ts';
import { type DeviceOptions, type SnmpDevice, startSnmpDevice } from './snmp-device.ts';
import { switchVariables } from './switch-variables.ts';
import { testSnmpCredential } from './test-snmp-credential.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(options: DeviceOptions): Promise<SnmpDevice> {
  const device = await startSnmpDevice(options);
  cleanups.push(() => device.close());
  return device;
}

/** Devices at 127.0.0.1 and following, all on one port. */
async function startOnOnePort(views: readonly DeviceOptions['views'][]): Promise<SnmpDevice[]> {
  for (;;) {
    const devices: SnmpDevice[] = [];
    try {
      for (const [at, one] of views.entries()) {
        const options = { views: one, address: `127.0.0.${at + 1}`, port: devices[0]?.port ?? 0 };
        devices.push(await startSnmpDevice(options));
      }
      for (const device of devices) cleanups.push(() => device.close());
      return devices;
    } catch (error) {
      for (const device of devices) await device.close();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function scan(seeds: string[], credentials: Credential[]) {
  const hub = await startTestHub();
  cleanups.push(() => hub.close());
  const agent = startAgentUnderTest(hub.origin, {
    allowed: ['127.0.0.0/16'],
    credentials,
    scan: { ports: [9] },
  });
  cleanups.push(() => agent.stop());
  await hub.next('hello');
  hub.send({ type: 'scan', snapshotId: randomUUID(), settings: { seeds, allowed: [], forbidden: [] } });
  await hub.next('done');
  for (const { account } of credentials)
    for (const text of [JSON.stringify(agent.lines), JSON.stringify(hub.messages)])
      expect(text).not.toContain(account.community);
  const chunks = hub.messages.filter(
    (one): one is Extract<AgentMessage, { type: 'hosts' }> => one.type === 'hosts',
  );
  return {
    hosts: chunks.flatMap(({ hosts }) => hosts),
    refusals: chunks.flatMap(({ refusals }) => refusals),
  };
}

const macs = { a: '00:1a:00:00:0a:00', b: '00:1a:00:00:0b:00', c: '00:1a:00:00:0c:00' };
const pc = (number: number) => `00:50:56:00:00:${String(number).padStart(2, '0')}`;

test('a switch is reported with its neighbors, and how each was learned', async () => {
  const [device] = await startOnOnePort([
    {
      'site-community': switchVariables({
        ...{ name: 'sw-a', mac: macs.a, ports: ['Gi0/1', 'Gi0/2', 'Gi0/3'] },
        lldp: [{ port: 1, mac: macs.b, remotePort: 'Gi0/9', name: 'sw-b', address: '10.0.0.2' }],
        cdp: [{ port: 2, remotePort: 'FastEthernet0', name: 'phone', address: '10.0.0.7' }],
        learned: [
          [3, pc(1), 20],
          [1, pc(2), 20],
          // Of the switch itself, and of a group: no neighbors.
          [1, '00:1a:00:00:0a:01', 20],
          [1, '01:00:5e:00:00:01', 20],
        ],
      }),
    },
  ]);
  const { hosts, refusals } = await scan(
    ['127.0.0.1'],
    [
      testSnmpCredential('snmp/a.toml', device!.port, 'another-community'),
      testSnmpCredential('snmp/b.toml', device!.port, 'site-community'),
    ],
  );
  expect(refusals).toEqual([
    { addr: '127.0.0.1', protocol: 'snmp', code: 'SNMP_SILENT', credential: 'snmp/a.toml' },
  ]);
  const [found] = hosts;
  expect(found).toMatchObject({
    system: { family: 'Cisco IOS', version: '15.0(2)SE', serial: 'SER-sw-a' },
    deviceTypes: [{ type: 'switch' }],
    extraFields: { product: { vendorName: 'Cisco', modelName: 'WS-C2960-24TT-L', serialNumber: 'SER-sw-a' } },
    addresses: [
      {
        hostnames: [{ hostname: 'sw-a' }],
        services: [{ name: 'snmp', port: device!.port, proto: 'udp' }],
      },
    ],
  });
  expect(found!.neighbors).toEqual([
    {
      ...{ ifname: 'Gi0/1', protocol: 'lldp', macaddr: macs.b },
      ...{ remoteIfname: 'Gi0/9', remoteName: 'sw-b', remoteAddr: '10.0.0.2' },
    },
    {
      ...{ ifname: 'Gi0/2', protocol: 'cdp', remoteIfname: 'FastEthernet0' },
      ...{ remoteName: 'phone', remoteAddr: '10.0.0.7' },
    },
    { ifname: 'Gi0/3', protocol: 'fdb', macaddr: pc(1), vlan: 20, remoteIfname: null },
    { ifname: 'Gi0/1', protocol: 'fdb', macaddr: pc(2), vlan: 20, remoteIfname: null },
  ]);
  const credential = 'snmp/b.toml';
  const at = expect.any(String);
  expect(found!.evidence).toEqual([
    { group: 'addresses', source: 'tcp', at },
    { group: 'services', source: 'tcp', at },
    { group: 'interfaces', source: 'snmp', at, credential },
    { group: 'system', source: 'snmp', at, credential },
    ...['lldp', 'cdp', 'fdb'].map((source) => ({ group: 'neighbors', source, at, credential })),
  ]);
});

/** What a switch shows of one VLAN, where one address was learned. */
const vlanView = (port: number, mac: string) => ({
  '1.3.6.1.2.1.17.1.4.1.2.1': 10_101,
  '1.3.6.1.2.1.17.1.4.1.2.2': 10_102,
  [`1.3.6.1.2.1.17.4.3.1.2.${[...Buffer.from(mac.replaceAll(':', ''), 'hex')].join('.')}`]: port,
  [`1.3.6.1.2.1.17.4.3.1.3.${[...Buffer.from(mac.replaceAll(':', ''), 'hex')].join('.')}`]: 3,
});
/** `vtpVlanState` of an operational VLAN. */
const vtpVlan = (vlan: number) => ({ [`1.3.6.1.4.1.9.9.46.1.3.1.1.2.1.${vlan}`]: 1 });

test('forwarding tables are read VLAN by VLAN where a switch has one view for each', async () => {
  const device = await start({
    views: {
      public: switchVariables({
        ...{ name: 'sw-a', mac: macs.a, ports: ['Gi0/1', 'Gi0/2'] },
        extra: {
          ...vtpVlan(10),
          ...vtpVlan(20),
          // Suspended, and of Token Ring.
          '1.3.6.1.4.1.9.9.46.1.3.1.1.2.1.30': 2,
          '1.3.6.1.4.1.9.9.46.1.3.1.1.2.1.1003': 1,
        },
      }),
      'public@10': vlanView(1, pc(1)),
      'public@20': vlanView(2, pc(2)),
    },
  });
  const result = await readDevice(testSnmpCredential('snmp/a.toml', device.port, 'public'));
  expect(result).toMatchObject({
    value: {
      codes: [],
      part: {
        fields: {
          neighbors: [
            { ifname: 'Gi0/1', protocol: 'fdb', macaddr: pc(1), vlan: 10 },
            { ifname: 'Gi0/2', protocol: 'fdb', macaddr: pc(2), vlan: 20 },
          ],
        },
      },
    },
  });
  expect(new Set(device.requests.map(({ community }) => community))).toEqual(
    new Set(['public', 'public@10', 'public@20']),
  );
});

describe('of a switch with one view for each VLAN,', () => {
  const withVlans = (vlans: readonly number[], shown: readonly number[]) =>
    start({
      views: {
        public: switchVariables({
          ...{ name: 'sw-a', mac: macs.a, ports: ['Gi0/1', 'Gi0/2'], learned: [[1, pc(1)]] },
          lldp: [{ port: 1, remotePort: 'p1', name: 'sw-b' }],
          extra: Object.assign({}, ...vlans.map(vtpVlan)),
        }),
        ...Object.fromEntries(shown.map((vlan) => [`public@${vlan}`, vlanView(2, pc(vlan))])),
      },
    });
  const readPart = async (device: SnmpDevice) => {
    const result = await readDevice(testSnmpCredential('snmp/a.toml', device.port, 'public'));
    if (!('value' in result)) throw new Error(result.code);
    return result.value;
  };
  const learned = (vlan: number) => ({ ifname: 'Gi0/2', protocol: 'fdb', macaddr: pc(vlan), vlan });
  const ofWhole = [
    { ifname: 'Gi0/1', protocol: 'lldp', remoteName: 'sw-b', remoteIfname: 'p1' },
    { ifname: 'Gi0/1', protocol: 'fdb', macaddr: pc(1) },
  ];

  test('a view that does not answer leaves its VLAN out and nothing else', async () => {
    const { codes, part } = await readPart(await withVlans([10, 20, 30], [10, 30]));
    expect(codes).toEqual(['TIMEOUT']);
    expect(part.learnedBy).toEqual([
      { group: 'neighbors', source: 'lldp' },
      { group: 'neighbors', source: 'fdb', unreadVlans: [20] },
    ]);
    expect(part.fields.neighbors).toHaveLength(4);
    expect(part.fields.neighbors).toEqual(expect.arrayContaining([...ofWhole, learned(10), learned(30)]));
    expect(part.fields.system).toMatchObject({ serial: 'SER-sw-a' });
  });

  test('no more views are asked for after two that do not answer', async () => {
    const device = await withVlans([10, 20, 30, 40], [40]);
    const { part } = await readPart(device);
    expect(part.learnedBy).toContainEqual({
      ...{ group: 'neighbors', source: 'fdb', unreadVlans: [10, 20, 30, 40] },
    });
    expect(part.fields.neighbors).toEqual(ofWhole);
    expect(new Set(device.requests.map(({ community }) => community))).toEqual(
      new Set(['public', 'public@10', 'public@20']),
    );
  });
});

test('a ring of switches with hosts at its edge is drawn as it is cabled', async () => {
  const ports = ['Gi0/1', 'Gi0/2', 'Gi0/3', 'Gi0/4'];
  // Cabling: a1-b1, b2-c1, c2-a2; hosts at a3, b3, c3; spanning tree blocks c2-a2, so traffic passes a1-b1-c1.
  const view = (options: Partial<Parameters<typeof switchVariables>[0]> & { name: string; mac: string }) => ({
    public: switchVariables({ ports, ...options }),
  });
  const [device] = await startOnOnePort([
    view({
      ...{ name: 'sw-a', mac: macs.a },
      lldp: [
        { port: 1, mac: macs.b, remotePort: 'Gi0/1', name: 'sw-b' },
        // Names itself by its name only.
        { port: 2, remotePort: 'Gi0/2', name: 'sw-c.example' },
      ],
      cdp: [{ port: 1, remotePort: 'GigabitEthernet0/1', name: 'sw-b.example', address: '10.0.0.2' }],
      learned: [
        [3, pc(1)],
        [1, pc(2)],
        [1, pc(3)],
        [1, macs.b],
      ],
    }),
    view({
      ...{ name: 'sw-b', mac: macs.b },
      lldp: [
        { port: 1, mac: macs.a, remotePort: 'Gi0/1', name: 'sw-a' },
        { port: 2, mac: macs.c, remotePort: 'Gi0/1', name: 'sw-c' },
      ],
      learned: [
        [1, pc(1)],
        [3, pc(2)],
        [2, pc(3)],
      ],
    }),
    view({
      ...{ name: 'sw-c', mac: macs.c },
      // The other two know it by LLDP; it tells them by CDP.
      cdp: [
        { port: 1, remotePort: 'GigabitEthernet0/2', name: 'sw-b', address: '10.0.0.2' },
        { port: 2, remotePort: 'GigabitEthernet0/2', name: 'sw-a', address: '10.0.0.1' },
      ],
      learned: [
        [1, pc(1)],
        [1, pc(2)],
        [3, pc(3)],
      ],
    }),
  ]);
  const { hosts, refusals } = await scan(
    ['127.0.0.1', '127.0.0.2', '127.0.0.3'],
    [testSnmpCredential('snmp/a.toml', device!.port, 'public')],
  );
  expect(refusals).toEqual([]);
  for (const order of [hosts, hosts.toReversed()]) {
    const { links } = buildLayer2(order.map(toSource));
    const cables = links.map(({ from, to, fromIfname, toIfname }) =>
      [`${from}/${fromIfname}`, `${to}/${toIfname ?? '-'}`].sort().join(' = '),
    );
    expect(cables.sort()).toEqual([
      `device:${pc(1)}/- = node:127.0.0.1/Gi0/3`,
      `device:${pc(2)}/- = node:127.0.0.2/Gi0/3`,
      `device:${pc(3)}/- = node:127.0.0.3/Gi0/3`,
      'node:127.0.0.1/Gi0/1 = node:127.0.0.2/Gi0/1',
      'node:127.0.0.1/Gi0/2 = node:127.0.0.3/Gi0/2',
      'node:127.0.0.2/Gi0/2 = node:127.0.0.3/Gi0/1',
    ]);
    expect(links.map(({ evidence }) => evidence).sort()).toEqual([
      ...['confirmed', 'confirmed', 'confirmed', 'inferred', 'inferred', 'inferred'],
    ]);
  }
});

function toSource({ addresses, interfaces, neighbors, deviceTypes }: ScannedHost): DiagramSource {
  const [{ addr }] = addresses as [ScannedHost['addresses'][number]];
  return {
    ...{ managedNodeId: addr, displayName: addr, state: 'stable', addr, macaddr: null, vendor: '' },
    ...{ addresses, interfaces, neighbors, deviceTypes },
  };
}
