// What this process can use for discovery: privileges, and programs that are installed.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { NeighborTablePlan } from '@yagura/core/inventory/scan-report';

export interface DiscoveryAbilities {
  /** Paths of the programs that can be used. */
  arpScan?: string;
  nmap?: string;
  /** `ip`, if it may change the neighbor table. */
  flush?: string;
}

const programFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Numbers of the capabilities (capabilities(7)). */
const netAdmin = 12;
const netRaw = 13;
/** The kernel's own limit on its neighbor table; absent in network namespaces, which share the table of the machine. */
const tableLimitFile = '/proc/sys/net/ipv4/neigh/default/gc_thresh3';
const usualTableLimit = 1024;
/** Entries that are left to other programs. */
const reservedEntries = 24;

/** `auto` uses scanners where they are installed and the process may send raw packets. */
export function findAbilities(
  discover: 'auto' | 'off',
  { folders = programFolders, statusFile = '/proc/self/status' } = {},
): DiscoveryAbilities {
  const mayUse = capabilitiesOf(statusFile);
  const scanner = (name: string) =>
    discover === 'auto' && mayUse(netRaw) ? findProgram(name, folders) : undefined;
  const arpScan = scanner('arp-scan');
  const nmap = scanner('nmap');
  const flush = mayUse(netAdmin) ? findProgram('ip', folders) : undefined;
  return { ...(arpScan ? { arpScan } : {}), ...(nmap ? { nmap } : {}), ...(flush ? { flush } : {}) };
}

/** On-link addresses above which the kernel's neighbor table limits the search. */
export function neighborTableSize(limitFile = tableLimitFile): number {
  let limit = Number.NaN;
  try {
    limit = Number.parseInt(readFileSync(limitFile, 'utf8'), 10);
  } catch {
    // Another system, or a network namespace.
  }
  return Math.max(1, (limit > 0 ? limit : usualTableLimit) - reservedEntries);
}

/** How a scan of so many on-link addresses gets along with the kernel's table. */
export function neighborTablePlan(
  onLinkAddresses: number,
  { arpScan, flush }: DiscoveryAbilities,
  tableSize = neighborTableSize(),
): NeighborTablePlan | undefined {
  if (onLinkAddresses <= tableSize) return undefined;
  if (arpScan) return 'arp-scan';
  return flush ? 'flush' : 'pace';
}

function capabilitiesOf(statusFile: string): (capability: number) => boolean {
  let mask = 0n;
  try {
    mask = BigInt(`0x${/^CapEff:\s*([\da-f]+)$/m.exec(readFileSync(statusFile, 'utf8'))?.[1] ?? '0'}`);
  } catch {
    // A system without capabilities.
  }
  return (capability) => ((mask >> BigInt(capability)) & 1n) === 1n;
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    });
}
