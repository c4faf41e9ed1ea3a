import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reportedInventoryShape } from './host-inventory.ts';
import { DeviceIndex, type Signature, signatureKinds, signaturesOf } from './host-signature.ts';

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

  it('keeps the case of a fingerprint', () =>
    expect(signaturesOf(parseHost({}), { sshHostKey: ' SHA256:AbC ' })).toEqual([
      { kind: 'sshHostKey', value: 'SHA256:AbC' },
    ]));

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
    [{ a: 'sshHostKey=k mac=1' }, 'sshHostKey=k mac=2', 'a'],
    [{ a: 'sshHostKey=k mac=1' }, 'sshHostKey=l mac=1', null],
    [{ a: 'vsphere=v sshHostKey=k' }, 'vsphere=w sshHostKey=k', null],
  ];
  it.each(cases)('knowing %j, %s is %s', (known, host, found) => {
    const devices = new DeviceIndex();
    for (const [id, text] of Object.entries(known)) devices.add(id, sign(text));
    expect(devices.find(sign(host))).toBe(found);
  });

  it('tells which kind of signature decided', () => {
    const devices = new DeviceIndex();
    devices.add('a', sign('serial=x sshHostKey=k mac=1'));
    expect(devices.match(sign('serial=x mac=1'))).toEqual({ id: 'a', kind: 'serial' });
    expect(devices.match(sign('mac=1'))).toEqual({ id: 'a', kind: 'mac' });
  });

  it('never merges by a weaker kind what a stronger one keeps apart', () => {
    const signature = fc.record({
      kind: fc.constantFrom(...signatureKinds),
      value: fc.constantFrom('1', '2', '3'),
    });
    const signatures = fc.array(signature, { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(signatures, { maxLength: 6 }), signatures, (known, host) => {
        const devices = new DeviceIndex();
        for (const [index, one] of known.entries()) devices.add(String(index), one);
        const found = devices.find(host);
        const sharesStrongest = (own: readonly Signature[]) => {
          const valuesOf = (list: readonly Signature[], kind: string) =>
            list.filter((one) => one.kind === kind).map((one) => one.value);
          const both = signatureKinds.find(
            (kind) => valuesOf(own, kind).length * valuesOf(host, kind).length > 0,
          );
          return (
            both !== undefined && valuesOf(own, both).some((value) => valuesOf(host, both).includes(value))
          );
        };
        const fitting = known.flatMap((own, index) => (sharesStrongest(own) ? [String(index)] : []));
        if (found === null) expect(fitting).toEqual([]);
        else expect(fitting).toContain(found);
      }),
      { seed: 1, numRuns: 2000 },
    );
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
