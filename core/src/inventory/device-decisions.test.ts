import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecidedDevices, type Feature, featureKey, featuresOf, type SeenHost } from './device-decisions.ts';
import type { Signature } from './host-signature.ts';

/** A host such as `serial=x mac=1 @10.0.0.4`. */
function host(text: string): SeenHost {
  const parts = text.split(' ').filter(Boolean);
  const signatures = parts
    .filter((part) => !part.startsWith('@'))
    .map((part) => {
      const [kind, value] = part.split('=');
      return { kind, value } as Signature;
    });
  const addresses = parts.filter((part) => part.startsWith('@')).map((part) => ({ addr: part.slice(1) }));
  return { signatures, features: featuresOf(signatures, addresses) };
}
const pin = (deviceId: string, text: string) => ({ deviceId, features: host(text).features });

function devices(known: Record<string, string>): DecidedDevices {
  const decided = new DecidedDevices();
  for (const [id, text] of Object.entries(known)) decided.addSignatures(id, host(text).signatures);
  return decided;
}
const nextId = () => 'new';

describe('without decisions', () => {
  it('is a device what shares its signatures, and a new one what shares none', () => {
    const decided = devices({ a: 'mac=1' });
    expect(decided.assign(host('mac=1 @4'), nextId)).toEqual({ deviceId: 'a', nodeId: 'a', by: 'mac' });
    expect(decided.assign(host('mac=2 @4'), nextId)).toEqual({ deviceId: 'new', nodeId: 'new', by: null });
    expect(decided.assign(host('@4'), nextId)).toBeNull();
  });
});

describe('merged devices', () => {
  it('are one node, and the reason is the decision only where no signature is', () => {
    const decided = devices({ a: 'mac=1', b: 'mac=2' });
    decided.addMerged('b', 'a');
    decided.addDecision({ kind: 'merge', pins: [pin('a', 'mac=1 @1'), pin('b', 'mac=2 @2')] });
    expect(decided.assign(host('mac=2 @9'), nextId)).toEqual({ deviceId: 'b', nodeId: 'a', by: 'manual' });
    expect(decided.assign(host('mac=1 @9'), nextId)).toEqual({ deviceId: 'a', nodeId: 'a', by: 'mac' });
  });

  it('stay merged when another device has taken over a signature', () => {
    const decided = devices({ '0': 'serial=q', a: 'mac=1', b: 'mac=2' });
    decided.addMerged('b', 'a');
    decided.addDecision({ kind: 'merge', pins: [pin('a', 'mac=1 @1'), pin('b', 'mac=2 @2')] });
    expect(decided.assign(host('serial=q mac=2 @7'), nextId)?.nodeId).toBe('0');
    expect(decided.assign(host('mac=2 @2'), nextId)?.nodeId).toBe('a');
  });
});

describe('a split', () => {
  const split = (decided: DecidedDevices, off: string, ...rest: string[]) => {
    decided.addSignatures('c', host(off).signatures);
    decided.addDecision({ kind: 'split', pins: [pin('c', off), ...rest.map((text) => pin('a', text))] });
    return decided;
  };
  it.each([
    // Two devices with one MAC address are told apart by their addresses.
    ['mac=1 @5', ['mac=1 @4'], 'mac=1 @5', 'c'],
    ['mac=1 @5', ['mac=1 @4'], 'mac=1 @4', 'a'],
    ['mac=1 @5', ['mac=1 @4'], 'mac=1 @5 @6', 'c'],
    // The stronger signature decides, whatever the addresses are.
    ['mac=1 @5', ['serial=x mac=1 @4'], 'serial=x mac=1 @5', 'a'],
    ['mac=1 @5', ['serial=x mac=1 @4'], 'mac=1 @5', 'c'],
    ['serial=y mac=1 @5', ['serial=x mac=1 @4'], 'serial=y mac=1 @4', 'c'],
    ['mac=1 @5', ['mac=1 @4'], 'mac=1 @9', 'a'],
    // A host that is exactly like one that was kept stays, even if it lacks what the others have.
    ['mac=1 mac=2 @5', ['mac=1 @5', 'serial=x mac=1 @5'], 'mac=1 @5', 'a'],
  ])('of %j from %j: %j is %s', (off, rest, seen, expected) => {
    const decided = split(devices({ a: rest.join(' ') }), off, ...rest);
    expect(decided.assign(host(seen), nextId)?.deviceId).toBe(expected);
  });

  it('keeps apart what a cloned signature, which identifies nothing, would not', () => {
    const decided = split(devices({ a: 'mac=7' }), 'footprint=f @5', 'footprint=f @4');
    const { features } = host('footprint=f @5');
    expect(decided.assign({ signatures: [], features }, nextId)?.deviceId).toBe('c');
  });

  it('of a device that was split before: the later one decides', () => {
    const decided = split(devices({ a: 'mac=1' }), 'mac=1 @5', 'mac=1 @4', 'mac=1 @6');
    decided.addSignatures('d', host('mac=1').signatures);
    decided.addDecision({ kind: 'split', pins: [pin('d', 'mac=1 @6'), pin('a', 'mac=1 @4')] });
    expect(['@4', '@5', '@6'].map((at) => decided.assign(host(`mac=1 ${at}`), nextId)?.deviceId)).toEqual([
      'a',
      'c',
      'd',
    ]);
    expect(decided.assign(host('mac=1 @5 @9'), nextId)?.deviceId).toBe('c');
    expect(decided.assign(host('mac=1 @9'), nextId)?.deviceId).toBe('a');
  });
});

const signature = fc.record({
  kind: fc.constantFrom('footprint' as const, 'serial' as const, 'mac' as const),
  value: fc.constantFrom('1', '2', '3'),
});
const anyHost = fc
  .record({
    signatures: fc.uniqueArray(signature, {
      minLength: 1,
      maxLength: 3,
      selector: ({ kind, value }) => `${kind} ${value}`,
    }),
    addr: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3'),
  })
  .map(({ signatures, addr }) => ({ signatures, features: featuresOf(signatures, [{ addr }]) }));

describe('whatever scans come after a decision', () => {
  it('every host that it was about is still the device that the user chose', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyHost, {
          minLength: 2,
          maxLength: 5,
          selector: ({ features }) => featureKey(features),
        }),
        fc.array(anyHost, { maxLength: 20 }),
        fc.boolean(),
        (pinned, later, isSplit) => {
          const decided = new DecidedDevices();
          let id = 0;
          const next = () => `n${id++}`;
          const pins = pinned.map(({ signatures, features }, index) => {
            const deviceId = index === 0 ? 'off' : 'kept';
            decided.addSignatures(deviceId, signatures);
            return { deviceId, features: features as Feature[] };
          });
          if (!isSplit) decided.addMerged('off', 'kept');
          decided.addDecision({ kind: isSplit ? 'split' : 'merge', pins });
          for (const one of later) decided.assign(one, next);
          const seen = pinned.map((one) => decided.assign(one, next)!.nodeId);
          expect(seen[0]).toBe(isSplit ? 'off' : 'kept');
          expect(new Set(seen.slice(1))).toEqual(new Set(['kept']));
        },
      ),
    );
  });
});
