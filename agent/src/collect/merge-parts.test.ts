import { expect, test } from 'vitest';
import type { HostPart } from './host-part.ts';
import { mergeParts } from './merge-parts.ts';

const part = (
  source: HostPart['source'],
  groups: HostPart['groups'],
  fields: HostPart['fields'],
  more = {},
) => ({
  part: { source, groups, fields, ownAddresses: [], identities: [], ...more } as HostPart,
  at: `2026-01-01T00:00:0${source === 'ssh' ? 1 : 2}.000Z`,
  credential: `${source}/a.toml`,
});
const sources = ({ evidence }: ReturnType<typeof mergeParts>) =>
  evidence.map(({ group, source, credential }) => `${group} ${source} ${credential}`);

test('each group has the data of the first part that read it, and its source', () => {
  const merged = mergeParts([
    part('ssh', ['interfaces', 'routes'], { interfaces: [{ ifname: 'eth0' }], routes: [] }),
    part('snmp', ['interfaces', 'listening'], { interfaces: [{ ifname: '2' }], listening: [] }),
  ]);
  expect(merged.fields).toMatchObject({ interfaces: [{ ifname: 'eth0' }], routes: [], listening: [] });
  expect(sources(merged)).toEqual([
    'interfaces ssh ssh/a.toml',
    'routes ssh ssh/a.toml',
    'listening snmp snmp/a.toml',
  ]);
});

test('later parts add to the system what is missing, and then both are named', () => {
  const ssh = part('ssh', ['system'], {
    system: { family: 'Debian', version: '' },
    extraFields: { kernel: { name: 'Linux' } },
  });
  const adding = part('snmp', ['system'], {
    system: { family: 'Linux', version: '6.1', serial: 'S1' },
    extraFields: { kernel: { name: 'other' }, product: { modelName: 'X' } },
  });
  const merged = mergeParts([ssh, adding]);
  expect(merged.fields.system).toEqual({ family: 'Debian', version: '6.1', serial: 'S1' });
  expect(merged.fields.extraFields).toEqual({ kernel: { name: 'Linux' }, product: { modelName: 'X' } });
  expect(sources(merged)).toEqual(['system ssh ssh/a.toml', 'system snmp snmp/a.toml']);
  const same = part('snmp', ['system'], { system: { family: 'Linux' } });
  expect(sources(mergeParts([ssh, same]))).toEqual(['system ssh ssh/a.toml']);
});

test('neighbors name every protocol through which they were learned', () => {
  const merged = mergeParts([
    part(
      'snmp',
      ['system'],
      { system: { family: 'x' }, neighbors: [] },
      {
        learnedBy: [
          { group: 'neighbors', source: 'lldp' },
          { group: 'neighbors', source: 'fdb' },
        ],
      },
    ),
  ]);
  expect(sources(merged)).toEqual([
    'system snmp snmp/a.toml',
    'neighbors lldp snmp/a.toml',
    'neighbors fdb snmp/a.toml',
  ]);
});
