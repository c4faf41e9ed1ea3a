import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reportedInventoryShape } from './host-inventory.ts';
import { DeviceIndex, type Signature, signaturesOf } from './host-signature.ts';

const parseHost = (input: object) => z.object(reportedInventoryShape).parse(input);
const sign = (text: string): Signature[] =>
  text.split(' ').map((part) => {
    const [kind, value] = part.split('=');
    return { kind, value } as Signature;
  });

describe('signaturesOf', () => {
  it('reads every kind once, in lower case', () => {
    const host = parseHost({
      system: { serial: ' FOC123 ' },
      addresses: [{ addr: '10.0.0.1', macaddr: '00:11:22:33:44:55' }],
      interfaces: [
        { ifname: 'eth0', macaddr: '00:11:22:33:44:55' },
        { ifname: 'eth1', macaddr: '00:11:22:33:44:56' },
      ],
    });
    expect(signaturesOf(host, { footprint: 'AB', engineId: '80:00', vsphereId: null })).toEqual([
      { kind: 'footprint', value: 'ab' },
      { kind: 'serial', value: 'foc123' },
      { kind: 'engine', value: '80:00' },
      { kind: 'mac', value: '00:11:22:33:44:55' },
      { kind: 'mac', value: '00:11:22:33:44:56' },
    ]);
  });

  it.each(['', '0', '0000000000', 'None', 'To Be Filled By O.E.M.', 'Default string', 'N/A', '123456789'])(
    'takes the serial %j for none',
    (serial) => expect(signaturesOf(parseHost({ system: { serial } }))).toEqual([]),
  );

  it.each([
    '00:00:00:00:00:00',
    'ff:ff:ff:ff:ff:ff',
    '01:00:5e:00:00:01',
    '00:00:5e:00:01:0a',
    '00:00:0c:07:ac:01',
  ])('does not tell devices apart by the shared address %s', (macaddr) =>
    expect(signaturesOf(parseHost({ addresses: [{ addr: '10.0.0.1', macaddr }] }))).toEqual([]),
  );
});

describe('the same-node decision', () => {
  const cases: [known: Record<string, string>, host: string, found: string | null][] = [
    [{ a: 'mac=1' }, 'mac=1', 'a'],
    [{ a: 'mac=1' }, 'mac=2', null],
    [{ a: 'serial=x mac=1' }, 'serial=x mac=9', 'a'],
    [{ a: 'serial=x mac=1' }, 'serial=y mac=1', null],
    [{ a: 'serial=x mac=1' }, 'mac=1', 'a'],
    [{ a: 'footprint=f serial=x' }, 'footprint=g serial=x', null],
    [{ a: 'serial=x', b: 'footprint=f' }, 'footprint=f serial=x', 'b'],
    [{ b: 'mac=1', a: 'mac=1' }, 'mac=1', 'a'],
    [{ a: 'serial=x mac=1', b: 'mac=1' }, 'serial=y mac=1', 'b'],
    [{ a: 'engine=e' }, 'vsphere=e', null],
  ];
  it.each(cases)('knowing %j, %s is %s', (known, host, found) => {
    const devices = new DeviceIndex();
    for (const [id, text] of Object.entries(known)) devices.add(id, sign(text));
    expect(devices.find(sign(host))).toBe(found);
  });

  it('forgets an address that has moved to another device, and keeps what was not read', () => {
    const devices = new DeviceIndex();
    devices.add('a', sign('serial=x mac=1'));
    devices.replace('a', sign('mac=2'));
    expect(devices.find(sign('mac=1'))).toBeNull();
    expect(devices.find(sign('mac=2'))).toBe('a');
    expect(devices.find(sign('serial=x'))).toBe('a');
  });
});
