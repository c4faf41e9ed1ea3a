// Searches with arp-scan and nmap where they are installed; their failure is logged once.
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { type Log, reasonOf } from '../log.ts';
import { toNetworks, toRanges } from '../site/ipv4-ranges.ts';
import type { DiscoveryAbilities } from './abilities.ts';
import type { Neighbor } from './neighbor-table.ts';
import { runTool } from './run-tool.ts';

/** Packets that either program sends to an address that does not answer. */
export const packetsPerTarget = 2;
/** Milliseconds that each waits for an answer before it repeats a packet. */
export const arpScanPauseMs = 500;
export const nmapPauseMs = 1000;

/** Milliseconds beyond those that the pace takes. */
const extraMs = 20_000;
const flushMs = 5000;

export interface InstalledScanners {
  /** Neighbors among the addresses of one interface; undefined if the program cannot be used. */
  findNeighbors?(targets: ScannerTargets, ifname: string): Promise<Map<string, Neighbor> | undefined>;
  /** Addresses that answer to ping; undefined if the program cannot be used. */
  findByPing?(targets: ScannerTargets): Promise<Set<string> | undefined>;
  /** Removes addresses from the kernel's neighbor table; whether it could. */
  flush?(targets: FlushTargets, ifname: string): Promise<boolean>;
}

export interface ScannerTargets {
  addresses: readonly string[];
  perSecond: number;
  signal: AbortSignal;
}

export interface FlushTargets extends Omit<ScannerTargets, 'perSecond'> {
  /** Only those that have not answered. */
  only?: 'unanswered';
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
          flush: async ({ addresses, signal, only }, ifname) => {
            const states = only === 'unanswered' ? ['nud', 'incomplete', 'nud', 'failed'] : [];
            const isFlushed = await attempt(flush, signal, async () => {
              for (const network of toNetworks(toRanges(addresses))) {
                const args = ['-4', 'neighbor', 'flush', 'to', network, 'dev', ifname, ...states];
                await runTool({ path: flush, args, signal, timeoutMs: flushMs });
              }
              return true;
            });
            return isFlushed ?? false;
          },
        }),
  };
}

/** Addresses by the interface on whose link they are. */
export function byInterface(interfaces: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [address, ifname] of interfaces) {
    const group = groups.get(ifname);
    if (group) group.push(address);
    else groups.set(ifname, [address]);
  }
  return groups;
}

function arpScanArguments(ifname: string, perSecond: number): string[] {
  return [
    ...[`--interface=${ifname}`, '--file=-', '--numeric', '--plain', '--quiet', '--ignoredups'],
    ...[
      `--retry=${packetsPerTarget}`,
      `--timeout=${arpScanPauseMs}`,
      `--interval=${Math.ceil(1_000_000 / perSecond)}u`,
    ],
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
