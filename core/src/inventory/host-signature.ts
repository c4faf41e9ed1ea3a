// Decides which hosts of different scans are the same device, by their signatures.
import type { HostInventory } from './host-inventory.ts';

/**
 * Strongest first. Hosts that differ in a stronger kind that both have are different, whatever weaker ones
 * they share.
 */
export const signatureKinds = ['footprint', 'serial', 'engine', 'vsphere', 'sshHostKey', 'mac'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

export interface Signature {
  kind: SignatureKind;
  value: string;
}

/**
 * Signatures that an agent read on the host: machine id, SNMP engine id, vSphere id, fingerprint of the SSH
 * host key.
 */
export interface ReportedSignatures {
  footprint?: string | null | undefined;
  engineId?: string | null | undefined;
  vsphereId?: string | null | undefined;
  sshHostKey?: string | null | undefined;
}

/**
 * Kinds that are copied with a disk image. Two hosts of one scan with the same value are clones, and the
 * value identifies neither.
 */
export const cloneableKinds: readonly SignatureKind[] = ['footprint', 'engine', 'sshHostKey'];

/** Placeholder serial numbers set by vendors. */
const placeholderSerial =
  /^(0+|n\/?a|none|null|unknown|default string|to be filled by o\.?e\.?m\.?|system serial number|not (specified|available|applicable)|1?23456789\d?|x+)$/i;
/**
 * Addresses shared by many devices: unset, broadcast, multicast, and the virtual routers of VRRP and HSRP.
 */
const sharedMac =
  /^(00:00:00:00:00:00|ff:ff:ff:ff:ff:ff|.[13579bdf]:.*|00:00:5e:00:0[12]:..|00:00:0c:(07:ac|9f:f.):..)$/;

/** Distinct signatures of a host. */
export function signaturesOf(inventory: HostInventory, reported: ReportedSignatures = {}): Signature[] {
  const found: Signature[] = [];
  const add = (kind: SignatureKind, value: string | null | undefined) => {
    // Fingerprints are Base64, where case matters.
    const trimmed = value?.trim();
    const text = kind === 'sshHostKey' ? trimmed : trimmed?.toLowerCase();
    if (text && !found.some((one) => one.kind === kind && one.value === text))
      found.push({ kind, value: text });
  };
  add('footprint', reported.footprint);
  if (!placeholderSerial.test(inventory.system.serial.trim())) add('serial', inventory.system.serial);
  add('engine', reported.engineId);
  add('vsphere', reported.vsphereId);
  add('sshHostKey', reported.sshHostKey);
  for (const { macaddr } of [...inventory.addresses, ...inventory.interfaces]) {
    if (macaddr && !sharedMac.test(macaddr.toLowerCase())) add('mac', macaddr);
  }
  return found;
}

/** Known devices, indexed by signature. */
export class DeviceIndex {
  private readonly byId = new Map<string, Map<SignatureKind, Set<string>>>();
  private readonly bySignature = new Map<string, Set<string>>();

  add(id: string, signatures: readonly Signature[]): void {
    const own = this.byId.get(id) ?? new Map<SignatureKind, Set<string>>();
    this.byId.set(id, own);
    for (const { kind, value } of signatures) {
      own.set(kind, (own.get(kind) ?? new Set()).add(value));
      const key = `${kind} ${value}`;
      this.bySignature.set(key, (this.bySignature.get(key) ?? new Set()).add(id));
    }
  }

  /** Updates the signatures of a device; kinds that were not read this time are kept. */
  replace(id: string, signatures: readonly Signature[]): void {
    const own = this.byId.get(id);
    for (const kind of new Set(signatures.map((one) => one.kind))) {
      for (const value of own?.get(kind) ?? []) this.bySignature.get(`${kind} ${value}`)?.delete(id);
      own?.delete(kind);
    }
    this.add(id, signatures);
  }

  /** The device of a host; null for a new device. */
  find(signatures: readonly Signature[]): string | null {
    return this.match(signatures)?.id ?? null;
  }

  /**
   * The device of a host and the kind of signature that identified it: the device that shares its strongest
   * signature, with the oldest id if there are several; null for a new device.
   */
  match(signatures: readonly Signature[]): { id: string; kind: SignatureKind } | null {
    for (const [rank, kind] of signatureKinds.entries()) {
      const candidates = new Set<string>();
      for (const one of signatures) {
        if (one.kind !== kind) continue;
        for (const id of this.bySignature.get(`${kind} ${one.value}`) ?? []) candidates.add(id);
      }
      const fitting = [...candidates].filter((id) => !this.differs(id, signatures, rank)).sort();
      if (fitting[0] !== undefined) return { id: fitting[0], kind };
    }
    return null;
  }

  private differs(id: string, signatures: readonly Signature[], rank: number): boolean {
    const own = this.byId.get(id);
    return signatureKinds.slice(0, rank).some((kind) => {
      const known = own?.get(kind);
      const reported = signatures.filter((one) => one.kind === kind);
      return known !== undefined && reported.length > 0 && !reported.some((one) => known.has(one.value));
    });
  }
}
