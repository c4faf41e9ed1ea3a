// Enforces the IP restriction of a space.
import ipaddr from 'ipaddr.js';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { embeddedAddress, parseAddress } from '../delivery/address-range.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';

/** An address or CIDR with the user's remarks. */
export interface AllowedAddress {
  address: string;
  remarks: string;
}

interface GuardDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
  spaceId: string;
  /** False when no ticket enables the feature, or the server's operator has disabled it. */
  active: boolean;
}

/**
 * Reload interval in milliseconds; other replicas learn of a change at once, this covers lost notifications.
 */
const refreshIntervalMs = 4_000;

export class IpGuard {
  private readonly deps: GuardDeps;
  private allowed: readonly AllowedAddress[] | null = null;
  /** The last known restriction applies until the database is available again. */
  private readonly reloading: PeriodicJob;
  private stopListening: (() => void) | undefined;

  constructor(deps: GuardDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.reloading = new PeriodicJob({
      ...{ clock, log },
      intervalMs: refreshIntervalMs,
      failureMessage: 'the IP restriction was not read',
      work: () => this.load(),
    });
  }

  async start(): Promise<void> {
    if (!this.deps.active) return;
    await this.load();
    const { changes, database, spaceId } = this.deps;
    this.stopListening = changes.listen((list) => {
      if (list.some((change) => change.resource === 'ip-restriction' && change.spaceId === spaceId))
        void this.reloading.runNow();
    });
    if (database.kind === 'postgresql') this.reloading.start();
  }

  async close(): Promise<void> {
    this.stopListening?.();
    await this.reloading.close();
  }

  /** Whether this address may access the space. */
  permits(address: string): boolean {
    return this.allowed === null || matchesAddress(this.allowed, address);
  }

  /** Loads the stored restriction. */
  async load(): Promise<void> {
    const { rows } = await this.deps.database.query<{ enabled: boolean; addresses: AllowedAddress[] }>(
      { name: 'ip-restriction', text: 'select enabled, addresses from ip_restriction where space_id = $1' },
      [this.deps.spaceId],
    );
    this.allowed = rows[0]?.enabled && this.deps.active ? rows[0].addresses : null;
  }
}

/**
 * True when an entry is the address or a network that contains it. An IPv4-mapped IPv6 address counts as
 * IPv4.
 */
export function matchesAddress(allowed: readonly AllowedAddress[], address: string): boolean {
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  if (!parsed) return false;
  const caller = embeddedAddress(parsed);
  return allowed.some((entry) => {
    const [start, size] = entry.address.split('/');
    const first = parseAddress(start!);
    if (!first) return false;
    if (first.kind() === caller.kind()) {
      const bits = size === undefined ? first.toByteArray().length * 8 : Number(size);
      return caller instanceof ipaddr.IPv4
        ? caller.match(first as ipaddr.IPv4, bits)
        : caller.match(first as ipaddr.IPv6, bits);
    }
    return size === undefined && embeddedAddress(first).toString() === caller.toString();
  });
}
