import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange, type Vertex } from './arrange.ts';
import type { DiagramSource } from './diagram-source.ts';
import type { DiagramElements } from './element.ts';
import { buildLayer2 } from './layer2.ts';
import { buildLayer3 } from './layer3.ts';
import { layOutDiagram } from './layout.ts';

const mac = (number: number) => `00:00:00:00:00:${number.toString(16).padStart(2, '0')}`;

function source(number: number, overrides: Partial<DiagramSource> = {}): DiagramSource {
  return {
    managedNodeId: `id${number}`,
    displayName: `node${number}`,
    state: 'stable',
    addr: `10.0.0.${number}`,
    macaddr: mac(number),
    vendor: '',
    deviceTypes: [{ type: 'server' }],
    interfaces: [],
    neighbors: [],
    addresses: [{ addr: `10.0.0.${number}`, subnet: '10.0.0.0/24', macaddr: mac(number) }],
    ...overrides,
  };
}

const ends = (links: DiagramElements['links']) =>
  links.map(
    ({ from, to, fromIfname, toIfname, evidence }) =>
      `${from} ${fromIfname ?? '-'} ${to} ${toIfname ?? '-'} ${evidence}`,
  );

describe('layer 3', () => {
  it('joins nodes with the subnets of their addresses', () => {
    const router = source(1, {
      addresses: [
        { addr: '10.0.0.1', subnet: '10.0.0.0/24', macaddr: mac(1) },
        { addr: '10.0.1.1', subnet: null, macaddr: null },
      ],
      interfaces: [
        { ifname: 'Vlan1', macaddr: mac(1), addr: '10.0.1.1', netmask: '255.255.255.0', linkState: 'up' },
      ],
    });
    const found = buildLayer3([router, source(2)]);
    expect(found.subnets).toEqual([
      { elementId: 'subnet:10.0.0.0/24', subnet: '10.0.0.0/24', numberOfNodes: 2 },
      { elementId: 'subnet:10.0.1.0/24', subnet: '10.0.1.0/24', numberOfNodes: 1 },
    ]);
    expect(ends(found.links)).toEqual([
      'node:id1 Vlan1 subnet:10.0.0.0/24 - measured',
      'node:id1 Vlan1 subnet:10.0.1.0/24 - measured',
      'node:id2  subnet:10.0.0.0/24 - measured',
    ]);
    expect(found.addresses).toHaveLength(3);
    expect(found.nics.map(({ elementId }) => elementId)).toEqual(['nic:id1/Vlan1', `nic:id2/${mac(2)}`]);
  });

  it.each([
    ['the narrowest known subnet', '10.0.0.9', 'subnet:10.0.0.0/28'],
    ['a wider one when it does not fit', '10.0.0.200', 'subnet:10.0.0.0/24'],
    ['no subnet', '192.0.2.1', null],
    ['no subnet, for IPv6', '2001:db8::1', null],
  ])('puts an address that nobody placed into %s', (_title, addr, subnet) => {
    const found = buildLayer3([
      source(1),
      source(2, { addresses: [{ addr: '10.0.0.2', subnet: '10.0.0.0/28', macaddr: null }] }),
      source(3, { addresses: [{ addr, subnet: null, macaddr: null }] }),
    ]);
    expect(found.addresses.at(-1)).toMatchObject({ addr, subnet });
    expect(found.links.filter(({ evidence }) => evidence === 'inferred')).toHaveLength(subnet ? 1 : 0);
  });
});

describe('layer 2', () => {
  const sees = (ifname: string, number: number, remoteIfname: string | null = null) => ({
    ifname,
    macaddr: mac(number).toUpperCase().replaceAll(':', '-'),
    remoteIfname,
  });
  it.each([
    ['one table', [[sees('p1', 2)], []], ['node:id1 p1 node:id2 - inferred']],
    ['one that named the other', [[sees('p1', 2, 'eth0')], []], ['node:id1 p1 node:id2 eth0 measured']],
    [
      'both naming each other',
      [[sees('p1', 2, 'p9')], [sees('p9', 1, 'p1')]],
      ['node:id1 p1 node:id2 p9 confirmed'],
    ],
    [
      'two cables between two switches',
      [
        [sees('p1', 2, 'p1'), sees('p2', 2, 'p2')],
        [sees('p1', 1, 'p1'), sees('p2', 1, 'p2')],
      ],
      ['node:id1 p1 node:id2 p1 confirmed', 'node:id1 p2 node:id2 p2 confirmed'],
    ],
    [
      'the port next to a host, not the uplink behind which it is seen too',
      [
        [sees('up', 2), sees('up', 3)],
        [sees('up', 1), sees('p1', 3)],
      ],
      ['node:id1 up node:id2 up inferred', 'node:id2 p1 node:id3 - inferred'],
    ],
    [
      'a neighbour that tells of itself, and what lies behind it',
      [[sees('up', 2, 'up'), sees('up', 3)], [sees('p1', 3)]],
      ['node:id1 up node:id2 up measured', 'node:id2 p1 node:id3 - inferred'],
    ],
    [
      'the port of one VLAN, not the trunk on which it is seen too',
      [
        [
          { ...sees('trunk', 3), vlan: 10, protocol: 'fdb' },
          { ...sees('trunk', 3), vlan: 20, protocol: 'fdb' },
        ],
        [{ ...sees('p1', 3), vlan: 10, protocol: 'fdb' }],
      ],
      ['node:id2 p1 node:id3 - inferred'],
    ],
    [
      'LLDP and CDP of one cable, which name it differently',
      [
        [
          { ifname: 'Gi0/1', protocol: 'lldp', macaddr: mac(2), remoteIfname: 'Gi0/9' },
          {
            ifname: 'Gi0/1',
            protocol: 'cdp',
            remoteName: 'node2.example',
            remoteIfname: 'GigabitEthernet0/9',
          },
        ],
        [],
      ],
      ['node:id1 Gi0/1 node:id2 Gi0/9 measured'],
    ],
    [
      'LLDP of a device that names no port, and is no guess',
      [[{ ifname: 'p1', protocol: 'lldp', remoteName: 'node2' }], [sees('up', 1)]],
      ['node:id1 p1 node:id2 up confirmed'],
    ],
    [
      'one device that no scan has met, which several protocols name differently',
      [
        [
          { ifname: 'p1', protocol: 'lldp', macaddr: mac(77), remoteName: 'isp' },
          { ifname: 'p1', protocol: 'cdp', remoteName: 'ISP', remoteAddr: '192.0.2.9', remoteIfname: 'ge0' },
          { ...sees('p1', 77), protocol: 'fdb' },
        ],
        [],
      ],
      [`node:id1 p1 device:${mac(77)} ge0 measured`],
    ],
    ['a device that no scan has met', [[sees('p1', 77)], []], [`node:id1 p1 device:${mac(77)} - inferred`]],
    ['nothing from a port that sees its own device', [[sees('p1', 1)], []], []],
    [
      'the address of a neighbor without a MAC',
      [[{ ifname: 'p1', remoteAddr: '10.0.0.2', remoteIfname: 'p7' }], []],
      ['node:id1 p1 node:id2 p7 measured'],
    ],
    [
      'the name of a neighbor without a MAC',
      [[{ ifname: 'p1', remoteName: 'NODE3', remoteIfname: 'p7' }], []],
      ['node:id1 p1 node:id3 p7 measured'],
    ],
    [
      'the name of a device that no scan has met',
      [[{ ifname: 'p1', remoteName: 'isp-router', remoteIfname: 'ge0' }], []],
      ['node:id1 p1 device:isp-router ge0 measured'],
    ],
    ['nothing from a neighbor that is not named', [[{ ifname: 'p1', remoteIfname: 'p7' }], []], []],
    ['nothing from what is no MAC', [[{ ifname: 'p1', macaddr: 'none', remoteIfname: null }], []], []],
  ] as [string, DiagramSource['neighbors'][], string[]][])(
    'finds a link by %s',
    (_title, [first, second], links) => {
      const found = buildLayer2([
        source(1, { neighbors: first! }),
        source(2, { neighbors: second! }),
        source(3),
      ]);
      expect(ends(found.links)).toEqual(links);
      const ids = new Set(found.nodes.map(({ elementId }) => elementId));
      for (const { from, to } of found.links) expect(ids.has(from) && ids.has(to)).toBe(true);
    },
  );

  it('does not take a name that two nodes have for one of them', () => {
    const found = buildLayer2([
      source(1, { neighbors: [{ ifname: 'p1', remoteName: 'twice', remoteIfname: 'p7' }] }),
      source(2, { displayName: 'twice' }),
      source(3, { displayName: 'Twice' }),
    ]);
    expect(ends(found.links)).toEqual(['node:id1 p1 device:twice p7 measured']);
    expect(found.nodes.at(-1)).toMatchObject({ displayName: 'twice', macaddr: null, addr: null });
  });
});

describe('names of ports in layer 2', () => {
  it.each([
    ['Gi0/1', 'GigabitEthernet0/1', 'Gi0/1'],
    ['Ethernet1/1', 'Eth1/1', 'Ethernet1/1'],
    ['Gi0/1', 'Gi0/11', 'Gi0/11'],
    ['Te0/1', 'Gi0/1', 'Gi0/1'],
    ['eth0', '02-00-00-00-00-FF', 'eth0'],
  ])('a device with %s that is named %s has the link at %s', (own, told, expected) => {
    const row = { addr: null, netmask: null, linkState: null };
    const found = buildLayer2([
      source(1, { neighbors: [{ ifname: 'p1', macaddr: mac(2), remoteIfname: told }] }),
      source(2, { interfaces: [{ ...row, ifname: own, macaddr: '02:00:00:00:00:ff' }] }),
    ]);
    expect(found.links.map(({ toIfname }) => toIfname)).toEqual([expected]);
  });
});

describe('links between devices that name their ports otherwise than their interfaces', () => {
  const row = { macaddr: null, addr: null, netmask: null, linkState: null };
  const interfacesOf = (...names: string[]) => names.map((ifname) => ({ ...row, ifname }));
  const tells = (ifname: string, number: number, remoteIfname: string) => ({
    ...{ ifname, protocol: 'lldp' as const, macaddr: mac(number), remoteIfname },
  });
  it.each<[string, [DiagramSource['neighbors'], DiagramSource['neighbors']], string[]]>([
    [
      'a number for one of them',
      [[tells('ge-0/0/0', 2, 'Gi0/1')], [tells('Gi0/1', 1, '513')]],
      ['ge-0/0/0 Gi0/1'],
    ],
    [
      'numbers for both of them',
      [[tells('ge-0/0/0', 2, '1')], [tells('Gi0/1', 1, '513')]],
      ['ge-0/0/0 Gi0/1'],
    ],
    [
      'numbers, of two cables',
      [
        [tells('ge-0/0/0', 2, 'Gi0/2'), tells('ge-0/0/1', 2, 'Gi0/1')],
        [tells('Gi0/1', 1, '514'), tells('Gi0/2', 1, '513')],
      ],
      ['ge-0/0/0 Gi0/2', 'ge-0/0/1 Gi0/1'],
    ],
    [
      'a number by LLDP and its name by CDP',
      [
        [],
        [
          tells('Gi0/1', 1, '513'),
          { ifname: 'Gi0/1', protocol: 'cdp', remoteName: 'node1', remoteIfname: 'ge-0/0/0' },
        ],
      ],
      ['ge-0/0/0 Gi0/1'],
    ],
    ['a number that nobody explains', [[], [tells('Gi0/1', 1, '513')]], ['513 Gi0/1']],
  ])('are drawn once: %s', (_, [first, second], expected) => {
    const sources = [
      source(1, { interfaces: interfacesOf('ge-0/0/0', 'ge-0/0/1'), neighbors: first }),
      source(2, { interfaces: interfacesOf('Gi0/1', 'Gi0/2'), neighbors: second }),
    ];
    for (const order of [sources, sources.toReversed()])
      expect(
        buildLayer2(order)
          .links.map(({ from, fromIfname, toIfname }) =>
            from === 'node:id1' ? `${fromIfname} ${toIfname}` : `${toIfname} ${fromIfname}`,
          )
          .sort(),
      ).toEqual(expected);
  });
});

describe('arrange', () => {
  const graph = fc
    .record({
      vertices: fc.uniqueArray(fc.nat(60), { maxLength: 40 }),
      edges: fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 60 }),
      tiles: fc.func(fc.boolean()),
    })
    .map(({ vertices, edges, tiles }) => ({
      vertices: vertices.map((id): Vertex => ({ id: `v${id}`, tile: tiles(id), order: String(id % 7) })),
      edges: edges.map(([from, to]) => [`v${from}`, `v${to}`] as const),
    }));

  it('places every vertex once, apart from all others, and inside what holds it', () => {
    fc.assert(
      fc.property(graph, ({ vertices, edges }) => {
        const boxes = arrange(vertices, edges);
        expect([...boxes.keys()].sort()).toEqual(vertices.map(({ id }) => id).sort());
        const list = [...boxes];
        for (const [id, box] of list) {
          expect(Number.isInteger(box.x) && Number.isInteger(box.y)).toBe(true);
          const around = box.container === null ? undefined : boxes.get(box.container)!;
          if (around) expect(isInside(box, around)).toBe(true);
          for (const [otherId, other] of list) {
            if (id === otherId || box.container === otherId || other.container === id) continue;
            expect(overlaps(box, other), `${id} ${otherId}`).toBe(false);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same for the same graph, however it is told', () => {
    fc.assert(
      fc.property(graph, ({ vertices, edges }) => {
        const turned = edges.map(([from, to]) => [to, from] as const).reverse();
        expect(new Map([...arrange([...vertices].reverse(), turned)].sort())).toEqual(
          new Map([...arrange(vertices, edges)].sort()),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('takes two thousand nodes and a chain of as many', () => {
    const vertices = Array.from(
      { length: 2000 },
      (_, index): Vertex => ({
        id: `v${index}`,
        tile: true,
        order: '',
      }),
    );
    const chain = vertices.slice(1).map(({ id }, index) => [`v${index}`, id] as const);
    expect(arrange(vertices, chain).size).toBe(2000);
    const star = vertices.slice(1).map(({ id }) => ['v0', id] as const);
    expect(arrange(vertices, star).get('v0')!.width).toBeGreaterThan(1000);
  });
});

describe('layOut', () => {
  const parts = buildLayer3([source(1), source(2), source(3)]);
  const at = (elementId: string, moved: Record<string, [string, string]>) => {
    const given = new Map(Object.entries(moved).map(([id, [posX, posY]]) => [id, { posX, posY }]));
    const laid = layOutDiagram(parts, given);
    return [...laid.nodes, ...laid.subnets].find((one) => one.elementId === elementId)!;
  };
  const digits = '123.45600000000000000000001';

  it('keeps every digit of what was moved', () => {
    expect(at('node:id2', { 'node:id2': [digits, '-0.10'] })).toMatchObject({
      posX: digits,
      posY: '-0.10',
      moved: true,
      container: 'subnet:10.0.0.0/24',
    });
  });

  it('moves what is inside along, unless it was moved itself', () => {
    const before = at('node:id2', {});
    const hub = at('subnet:10.0.0.0/24', {});
    const to: [string, string] = [String(Number(hub.posX) + 100), String(Number(hub.posY) - 30)];
    expect(at('node:id2', { 'subnet:10.0.0.0/24': to })).toMatchObject({
      posX: String(Number(before.posX) + 100),
      posY: String(Number(before.posY) - 30),
      moved: false,
    });
    expect(at('node:id2', { 'subnet:10.0.0.0/24': to, 'node:id2': ['1', '2'] })).toMatchObject({
      posX: '1',
      posY: '2',
    });
  });
});

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}
const overlaps = (one: Rect, other: Rect) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
const isInside = (one: Rect, around: Rect) =>
  one.x >= around.x &&
  one.y >= around.y &&
  one.x + one.width <= around.x + around.width &&
  one.y + one.height <= around.y + around.height;
