// Decides of which device a host is: by its signatures, and by what users decided about hosts like it.
import { DeviceIndex, type Signature, type SignatureKind, signatureKinds } from './host-signature.ts';

/** What identifies a host to a user's decision: its signatures, then its addresses. */
export interface Feature {
  kind: SignatureKind | 'addr';
  value: string;
}

/** A host that a decision was about, and the device that it is. */
export interface Pin {
  deviceId: string;
  features: readonly Feature[];
}

export interface DeviceDecision {
  kind: 'merge' | 'split';
  /** For a split, the pin of the host that was split off comes first. */
  pins: readonly Pin[];
}

/** A host of a scan. */
export interface SeenHost {
  /** Signatures without those that were found to be cloned. */
  signatures: readonly Signature[];
  features: readonly Feature[];
}

/** What recognized a host as a known device: a kind of signature, or a decision of a user. */
export const matchReasons = [...signatureKinds, 'manual'] as const;
export type MatchReason = (typeof matchReasons)[number];

export interface DeviceMatch {
  deviceId: string;
  nodeId: string;
  /** Null for a new device. */
  by: MatchReason | null;
}

const featureKinds = [...signatureKinds, 'addr'] as const;

const keyOf = ({ kind, value }: Feature) => `${kind} ${value}`;

export function featuresOf(
  signatures: readonly Signature[],
  addresses: readonly { addr: string }[],
): Feature[] {
  const features = [...signatures, ...addresses.map(({ addr }) => ({ kind: 'addr' as const, value: addr }))];
  return [...new Map(features.map((one) => [keyOf(one), one])).values()];
}

/** Equal for hosts that nothing tells apart. */
export function featureKey(features: readonly Feature[]): string {
  return features.map(keyOf).sort().join('\n');
}

/**
 * The devices of a network. A host like one that a user decided about is the device of that decision, whatever
 * the scans since have read; other hosts are recognized by their signatures.
 */
export class DecidedDevices {
  private readonly index = new DeviceIndex();
  private readonly nodes = new Map<string, string>();
  private readonly pinned = new Map<string, string>();
  private readonly splits: (readonly Pin[])[] = [];

  addSignatures(deviceId: string, signatures: readonly Signature[]): void {
    this.index.add(deviceId, signatures);
  }

  /** Makes a device a part of another one's node. */
  addMerged(deviceId: string, nodeId: string): void {
    this.nodes.set(deviceId, nodeId);
  }

  /** Decisions in the order in which they were made: a later one wins. */
  addDecision({ kind, pins }: DeviceDecision): void {
    for (const { deviceId, features } of pins) this.pinned.set(featureKey(features), deviceId);
    if (kind === 'split') this.splits.push(pins);
  }

  /** The device of a host; a host without anything that identifies it has none. */
  assign({ signatures, features }: SeenHost, nextId: () => string): DeviceMatch | null {
    const pinned = this.pinned.get(featureKey(features));
    if (pinned === undefined && signatures.length === 0) return null;
    const found = this.index.match(signatures);
    const deviceId = pinned ?? (found ? this.choose(found, features) : nextId());
    this.index.replace(deviceId, signatures);
    const nodeId = this.nodes.get(deviceId) ?? deviceId;
    return { deviceId, nodeId, by: found?.id === nodeId ? found.kind : found || pinned ? 'manual' : null };
  }

  /**
   * Where a signature fits both sides of a split, the side to which the host is more alike. A signature that
   * only one side has decides on its own, and so does the signature if no side is more alike.
   */
  private choose({ id, kind }: { id: string; kind: SignatureKind }, features: readonly Feature[]): string {
    const wanted = new Set(features.filter((one) => one.kind === kind).map(keyOf));
    const fitting = this.splits
      .filter((pins) => pins.some(({ deviceId }) => deviceId === id))
      .flat()
      .filter((pin) => this.pinned.get(featureKey(pin.features)) === pin.deviceId)
      .filter(({ features: own }) => own.some((one) => wanted.has(keyOf(one))))
      .sort((left, right) => Number(right.deviceId === id) - Number(left.deviceId === id));
    if (fitting.length === 0) return id;
    return fitting.reduce((best, pin) => (isCloser(pin, best, features) ? pin : best)).deviceId;
  }
}

/** Whether a pin is more like a host than another one, by the strongest kind in which they differ. */
function isCloser(pin: Pin, other: Pin, features: readonly Feature[]): boolean {
  for (const kind of featureKinds) {
    const order = likeness(pin, features, kind) - likeness(other, features, kind);
    if (order !== 0) return order > 0;
  }
  return false;
}

/** 1 if they share a feature of this kind, -1 if they have different ones, 0 if one of them has none. */
function likeness(pin: Pin, features: readonly Feature[], kind: Feature['kind']): -1 | 0 | 1 {
  const own = pin.features.filter((one) => one.kind === kind).map(keyOf);
  const seen = features.filter((one) => one.kind === kind).map(keyOf);
  if (own.length === 0 || seen.length === 0) return 0;
  return seen.some((one) => own.includes(one)) ? 1 : -1;
}
