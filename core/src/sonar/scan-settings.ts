// Scan targets of a network: starting addresses, addresses allowed and forbidden to probe (IPv4).
import { z } from 'zod';
import { scanPaceShape } from '../inventory/scan-report.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isIpv4OrCidr } from '../validation/ipv4.ts';
import { refuseRepeated } from '../validation/refuse-repeated.ts';
import { ipv4Network } from './ipv4-network.ts';

/**
 * Maximum number of distinct starting addresses of one scan, with networks expanded; a scan with more is rejected.
 */
export const maxSeedAddresses = 65_536;

/** An IPv4 address or an IPv4 network in CIDR form. */
const seedAddress = () =>
  field.withKind(
    'text',
    z
      .string()
      .trim()
      .max(18)
      .refine(isIpv4OrCidr, { params: { word: 'rule.ipv4OrCidr' } }),
  );
const seedAddresses = () => field.list(seedAddress(), 1000).default([]);

/** Overrides for one Ksocket; an empty list inherits the network's. */
const perKsocket = z.object({
  ksocketSlotId: field.reference('ksocket-slot'),
  enabled: field.flag().default(true),
  seeds: seedAddresses(),
  allowed: seedAddresses(),
  forbidden: seedAddresses(),
});

const paceField = (name: keyof typeof scanPaceShape) =>
  field.withKind('integer', scanPaceShape[name].unwrap()).nullable().default(null);

const body = {
  /** A network that is not enabled is not scanned. */
  enabled: field.flag().default(true),
  seeds: seedAddresses(),
  /** Empty means everything. */
  allowed: seedAddresses(),
  /** Takes precedence over `allowed`. */
  forbidden: seedAddresses(),
  perKsocket: field.list(perKsocket, 100).default([]),
  /** How fast a scan may be; the site's own policy may be slower. Null leaves it to the site. */
  pace: field
    .object({
      packetsPerSecond: paceField('packetsPerSecond'),
      parallelHosts: paceField('parallelHosts'),
    })
    .default({ packetsPerSecond: null, parallelHosts: null }),
};

export const scanSettings = defineResource({
  app: 'sonar',
  name: 'scan-settings',
  plural: 'scan-settings',
  noun: { en: ['scan settings', 'scan settings'], ja: 'スキャン設定' },
  path: '/api/apps/sonar/networks/{networkId}/scan-settings',
  screen: '/apps/sonar/networks/:networkId/scan',
  id: 'networkId',
  parent: 'network',
  singleton: true,
  shape: z.object({
    networkId: field.reference('network'),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  // Of two overrides for one Ksocket, only one could apply.
  input: z.object(body).check(refuseRepeated('perKsocket', 'ksocketSlotId')),
  verbs: ['show', 'edit'],
  columns: ['enabled', 'seeds', 'allowed', 'forbidden', 'perKsocket', 'pace', 'updatedAt'],
  permission: 'sonar:scan-settings',
  inFiles: 'with-parent',
});

export interface ScanScope {
  seeds: string[];
  allowed: string[];
  forbidden: string[];
  /** Absent if the site decides. */
  pace?: { packetsPerSecond?: number; parallelHosts?: number };
}

export interface ScanSettings extends Omit<ScanScope, 'pace'> {
  enabled: boolean;
  pace?: { packetsPerSecond: number | null; parallelHosts: number | null };
  perKsocket: (Omit<ScanScope, 'pace'> & { ksocketSlotId: string; enabled: boolean })[];
}

/** Scan scope of one Ksocket for a network; null if it does not scan it. */
export function scanScopeFor(settings: ScanSettings, ksocketSlotId: string): ScanScope | null {
  const own = settings.perKsocket.find((one) => one.ksocketSlotId === ksocketSlotId);
  if (!settings.enabled || own?.enabled === false) return null;
  const pick = (name: 'seeds' | 'allowed' | 'forbidden') =>
    own && own[name].length > 0 ? own[name] : settings[name];
  const pace = Object.fromEntries(Object.entries(settings.pace ?? {}).filter(([, value]) => value !== null));
  return {
    seeds: pick('seeds'),
    allowed: pick('allowed'),
    forbidden: pick('forbidden'),
    ...(Object.keys(pace).length > 0 ? { pace } : {}),
  };
}

/** Number of distinct starting addresses with networks expanded; networks may overlap. */
export function countSeeds(seeds: readonly string[]): number {
  const networks = seeds.flatMap((seed) => ipv4Network(seed) ?? []).sort((a, b) => a.first - b.first);
  let count = 0;
  let counted = 0;
  for (const { first, size } of networks) {
    const end = first + size;
    count += Math.max(0, end - Math.max(first, counted));
    counted = Math.max(counted, end);
  }
  return count;
}
