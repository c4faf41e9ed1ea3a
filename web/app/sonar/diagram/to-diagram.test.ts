// What is drawn of the elements of a diagram, and what the search finds in it.
import type { DiagramElements } from '@yagura/core/sonar/diagram/element';
import { describe, expect, test } from 'vitest';
import { findNodes } from './diagram-layout.ts';
import { toDiagram } from './to-diagram.ts';

const place = { posX: '0', posY: '0', width: 10, height: 10, container: null, moved: false };
const node = (id: string, more: Partial<DiagramElements['nodes'][number]> = {}) => ({
  ...{
    elementId: `node:${id}`,
    managedNodeId: id,
    displayName: id,
    state: 'stable' as const,
    type: 'Router',
  },
  ...{ addr: null, macaddr: null, vendor: 'Maker', numberOfAddresses: 0, ...place, ...more },
});
const link = (from: string, to: string, more: Partial<DiagramElements['links'][number]> = {}) => ({
  ...{ elementId: `link:${from}/${to}`, from, to, fromIfname: null, toIfname: null },
  ...{ evidence: 'measured' as const, ...more },
});
const none = { nodes: [], nics: [], addresses: [], links: [], subnets: [], total: 1, truncated: false };

describe('on layer 3', () => {
  const address = (addr: string, subnet: string) => ({
    ...{ elementId: `address:a/${addr}`, node: 'node:a', nic: null, addr, subnet: `subnet:${subnet}` },
  });
  const nets = ['10.0.0.0/24', '10.1.0.0/24'];
  const { nodes, edges } = toDiagram(
    {
      ...none,
      nodes: [node('a', { addr: '10.0.0.1', macaddr: '02:00:00:00:00:01' })],
      nics: [
        {
          elementId: 'nic:a/e1',
          node: 'node:a',
          ifname: 'e1',
          macaddr: '02:00:00:00:00:02',
          linkState: null,
        },
      ],
      addresses: [
        address('10.0.0.1', nets[0]!),
        address('10.0.0.9', nets[0]!),
        address('10.1.0.1', nets[1]!),
      ],
      links: nets.map((net) => link('node:a', `subnet:${net}`)),
      subnets: nets.map((subnet) => ({ elementId: `subnet:${subnet}`, subnet, numberOfNodes: 7, ...place })),
    },
    'n',
  );

  test('a line tells all addresses that the node has in the subnet', () => {
    expect(edges.map(({ label }) => label)).toEqual(['10.0.0.1, 10.0.0.9', '10.1.0.1']);
  });

  test.each([
    ['10.0.0.1', ['node:a']],
    ['10.1.0.1', ['node:a']],
    ['10.0.0.9', ['node:a']],
    ['02:00:00:00:00:02', ['node:a']],
    ['00:01', ['node:a']],
    ['MAKER', ['node:a']],
    ['10.1.0', ['node:a', 'subnet:10.1.0.0/24']],
    // The number of nodes of a subnet is no text of it.
    ['7', []],
    [' ', []],
  ])('the search for %j finds %j', (text, ids) => {
    expect(findNodes(nodes, text).sort()).toEqual(ids);
  });
});

test('on layer 2, a tile tells all ports of the device that contains it', () => {
  const ports = ['Gi1', 'Gi2'];
  const { nodes } = toDiagram(
    {
      ...none,
      nodes: [node('sw'), node('srv', { addr: '10.0.0.5', container: 'node:sw' })],
      links: [
        ...ports.map((fromIfname) =>
          link('node:sw', 'node:srv', { elementId: fromIfname, fromIfname, toIfname: 'eth0' }),
        ),
        link('node:srv', 'node:sw', { elementId: 'back', toIfname: 'Gi3' }),
      ],
    },
    'n',
  );
  expect(nodes.map(({ note }) => note)).toEqual(['', 'Gi1, Gi2, Gi3 · 10.0.0.5']);
});
