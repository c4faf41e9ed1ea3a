// Searches with arp-scan and nmap where they are installed; their failure is logged once.
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { type Log, reasonOf } from '../log.ts';
import { toNetworks, toRanges } from '../site/ipv4-ranges.ts';
import type { DiscoveryAbilities } from './abilities.ts';
import type { Neighbor } from './neighbor-table.ts';
import { runTool } from './run-tool.ts';

/** Packets that either program sends to an address that does not answer. */
export const packetsPerTarget = 2;

/** Milliseconds beyond those that the pace takes. */
const extraMs = 20_000;
const flushMs = 5000;

export interface InstalledScanners {
  /** Neighbors among the addresses of one interface; undefined if the program cannot be used. */
  findNeighbors?(targets: ScannerTargets, ifname: string): Promise<Map<string, Neighbor> | undefined>;
  /** Addresses that answer to ping; undefined if the program cannot be used. */
  findByPing?(targets: ScannerTargets): Promise<Set<string> | undefined>;
  /** Removes addresses from the kernel's neighbor table. */
  flush?(targets: Omit<ScannerTargets, 'perSecond'>, ifname: string): Promise<void>;
}

export interface ScannerTargets {
  addresses: readonly string[];
  perSecond: number;
  signal: AbortSignal;
}

export function createScanners(abilities: DiscoveryAbilities, log: Log): InstalledScanners {
  const failed = new Set<string>();
  /** Without a result from the first failure on. */
  const attempt = async <T>(path: string, signal: AbortSignal, work: () => Promise<T>) => {
    if (failed.has(path)) return undefined;
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      failed.add(path);
      log({ level: 'warn', message: 'a program cannot be used', program: path, reason: reasonOf(error) });
      return undefined;
    }
  };
  const { arpScan, nmap, flush } = abilities;
  return {
    ...(arpScan === undefined
      ? {}
      : {
          findNeighbors: ({ addresses, perSecond, signal }, ifname) =>
            attempt(arpScan, signal, async () => {
              const args = arpScanArguments(ifname, perSecond);
              const output = await runTool({
                ...{ path: arpScan, args, signal, input: listOf(addresses) },
                timeoutMs: timeoutMs(addresses, perSecond),
              });
              return parseArpScan(output, addresses, ifname);
            }),
        }),
    ...(nmap === undefined
      ? {}
      : {
          findByPing: ({ addresses, perSecond, signal }) =>
            attempt(nmap, signal, async () => {
              const output = await runTool({
                ...{ path: nmap, args: nmapArguments(perSecond), signal, input: listOf(addresses) },
                timeoutMs: timeoutMs(addresses, perSecond),
              });
              return parseNmap(output, addresses);
            }),
        }),
    ...(flush === undefined
      ? {}
      : {
          flush: async ({ addresses, signal }, ifname) => {
            await attempt(flush, signal, async () => {
              for (const network of toNetworks(toRanges(addresses))) {
                const args = ['-4', 'neighbor', 'flush', 'to', network, 'dev', ifname];
                await runTool({ path: flush, args, signal, timeoutMs: flushMs });
              }
            });
          },
        }),
  };
}

function arpScanArguments(ifname: string, perSecond: number): string[] {
  return [
    ...[`--interface=${ifname}`, '--file=-', '--numeric', '--plain', '--quiet', '--ignoredups'],
    ...[`--retry=${packetsPerTarget}`, '--timeout=500', `--interval=${Math.ceil(1_000_000 / perSecond)}u`],
  ];
}

/** A search by ICMP echo only: no ports, no names, no scripts. */
function nmapArguments(perSecond: number): string[] {
  return [
    ...[
      '-sn',
      '-n',
      '-PE',
      '--disable-arp-ping',
      '--privileged',
      '--max-retries',
      String(packetsPerTarget - 1),
    ],
    ...['--max-rate', String(perSecond), '--host-timeout', '10s', '-oG', '-', '-iL', '-'],
  ];
}

/** Lines of address, tab and hardware address; only addresses that were asked for. */
export function parseArpScan(
  output: string,
  asked: readonly string[],
  ifname: string,
): Map<string, Neighbor> {
  const wanted = new Set(asked);
  const found = new Map<string, Neighbor>();
  for (const line of output.split('\n')) {
    const [, address = '', macaddr = ''] =
      /^([\d.]{7,15})\t((?:[\da-f]{2}:){5}[\da-f]{2})(?:\t.*)?$/i.exec(line.trim()) ?? [];
    if (wanted.has(address) && !found.has(address))
      found.set(address, { macaddr: macaddr.toLowerCase(), ifname });
  }
  return found;
}

/** The greppable form: `Host: ADDRESS ()`, tab, `Status: Up`; only addresses that were asked for. */
export function parseNmap(output: string, asked: readonly string[]): Set<string> {
  const wanted = new Set(asked);
  const up = [...output.matchAll(/^Host: ([\d.]{7,15}) \(\)\tStatus: Up$/gm)].map(([, address]) => address!);
  return new Set(up.filter((address) => wanted.has(address)));
}

function listOf(addresses: readonly string[]): string {
  // A line of another form could name a network or a host.
  if (!addresses.every(isIpv4)) throw new Error('not an IPv4 address');
  return `${addresses.join('\n')}\n`;
}

function timeoutMs(addresses: readonly string[], perSecond: number): number {
  return extraMs + (addresses.length * packetsPerTarget * 1000) / perSecond;
}
