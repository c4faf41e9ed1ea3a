// Runs one scan: block after block, each found and read completely before it is stored.

import { setMaxListeners } from 'node:events';
import type { NeighborTablePlan } from '@yagura/core/inventory/scan-report';
import type { AgentMessageInput } from '@yagura/core/ksocket/agent-protocol';
import { Slots } from '@yagura/core/live/slots';
import { type DiscoveryAbilities, neighborTablePlan, neighborTableSize } from '../discover/abilities.ts';
import type { BlockSearch } from '../discover/block-search.ts';
import { type DiscoveryContext, discoverBlock, type FoundHost } from '../discover/discover-block.ts';
import { blockSize } from '../discover/discovery-limits.ts';
import { type InstalledScanners, packetsPerTarget } from '../discover/installed-scanners.ts';
import { NeighborSearch } from '../discover/neighbor-search.ts';
import { kernelNeighborTable } from '../discover/neighbor-table.ts';
import { type Log, reasonOf } from '../log.ts';
import { forEachParallel, PacketRate, PauseGate, type Timing } from '../pace.ts';
import { addressesOf, countAddresses, type Ipv4Range, includesAddress } from '../site/ipv4-ranges.ts';
import { effectivePace, permittedRanges, type ScanPolicy } from '../site/policy.ts';
import { addRouters, applyLearnedMacs, learnMacs, routersToAsk } from './learned-macs.ts';
import { makeChunks } from './make-chunks.ts';
import { mergeHosts, type ReadHost } from './merge-hosts.ts';
import { scanFailure } from './scan-failure.ts';
import type { Chunk, ScanEnd, ScanFailure, ScanSpool, ScanState } from './scan-spool.ts';

/** What all scans of the agent share. */
export interface ScanSite {
  policy: ScanPolicy;
  rate: PacketRate;
  hostSlots: Slots;
  abilities: DiscoveryAbilities;
  scanners: InstalledScanners;
  countOnLink(ranges: readonly Ipv4Range[]): number;
  /** The interface on whose link the address is. */
  interfaceOf(address: string): string | undefined;
  ownMacaddr(address: string): string | undefined;
  /** TCP ports on which the credentials of an address are used. */
  credentialPorts(address: string): readonly number[];
  readHost: HostReader;
  timing: Timing;
  now(): number;
  log: Log;
}

export interface ReadContext {
  signal: AbortSignal;
  /** Resolves when one packet may be sent; rejects if the policy does not permit the address. */
  admit(address: string): Promise<void>;
  /** Hosts running on which each credential failed; changed by the reader. */
  failures: Record<string, number>;
  /** Reads only as much as is needed for the ARP table of a router. */
  only?: 'arp';
}
export type HostReader = (host: FoundHost, context: ReadContext) => Promise<ReadHost>;

/** Reason of an abort that the server asked for; any other one is the end of the agent. */
export const abortedByServer = new Error('aborted');

/** Hosts of a block, and routers of earlier blocks that were asked about them. */
interface ScannedBlock {
  read: ReadHost[];
  routers: ReadHost[];
}

type Progress = Extract<AgentMessageInput, { type: 'progress' }>;

export class ActiveScan {
  readonly state: ScanState;
  /** Chunks that the server has not stored, in order. */
  readonly pending: number[];
  private readonly site: ScanSite;
  private readonly spool: ScanSpool;
  private readonly rate: PacketRate;
  private readonly parallelHosts: number;
  private readonly perSecond: number;
  /** For the whole scan: its blocks follow each other faster than entries of the table expire. */
  private readonly tablePlan: NeighborTablePlan | undefined;
  private readonly tableSize = neighborTableSize();
  private readonly permitted: Ipv4Range[];
  private readonly gate = new PauseGate();
  /** Changes of the stored state, one after the other: none writes over another one. */
  private readonly saves = new Slots(1);
  private readonly controller = new AbortController();
  private resolveEnded = () => {};
  private readonly hasEnded = new Promise<void>((resolve) => {
    this.resolveEnded = resolve;
  });
  private phase: 'discover' | 'collect' = 'discover';
  private probedInBlock = 0;
  private readonly startedAt: number;
  private readonly probedAtStart: number;
  private packets = 0;
  private lastRate = { at: 0, packets: 0 };

  constructor(site: ScanSite, spool: ScanSpool, { state, pending }: { state: ScanState; pending: number[] }) {
    this.site = site;
    this.spool = spool;
    this.state = state;
    this.pending = pending;
    const pace = effectivePace(site.policy, state.settings.pace);
    this.rate = new PacketRate(pace.packetsPerSecond, site.timing);
    this.parallelHosts = pace.parallelHosts;
    this.perSecond = pace.packetsPerSecond;
    this.permitted = permittedRanges(site.policy);
    this.tablePlan = neighborTablePlan(site.countOnLink(state.targets), site.abilities, this.tableSize);
    this.startedAt = site.timing.now();
    this.lastRate.at = this.startedAt;
    this.probedAtStart = this.probed;
    if (state.paused) this.gate.pause();
    // Each probe listens for the abort.
    setMaxListeners(0, this.controller.signal);
  }

  /** Ends with `state.end` set, or without when the agent stops. `onStored` is called for each finished block. */
  async run(stop: AbortSignal, onStored: () => void): Promise<void> {
    const onStop = () => this.controller.abort(stop.reason);
    stop.addEventListener('abort', onStop, { once: true });
    if (stop.aborted) onStop();
    try {
      if (!this.state.end) await this.finish(await this.scanBlocks(onStored));
    } finally {
      stop.removeEventListener('abort', onStop);
      this.resolveEnded();
    }
  }

  /** Resolves when `run` has ended. */
  ended(): Promise<void> {
    return this.hasEnded;
  }

  abort(): void {
    this.controller.abort(abortedByServer);
  }

  /** Ends the scan without the results that the server has not stored. */
  fail(failure: ScanFailure): void {
    this.state.end = failure;
    this.pending.length = 0;
    this.abort();
  }

  async setPaused(paused: boolean): Promise<void> {
    if (paused) this.gate.pause();
    else this.gate.resume();
    await this.saves.run(async () => {
      this.state.paused = this.gate.isPaused;
      if (!this.state.end) await this.spool.save(this.state);
    });
  }

  progress(): Progress {
    const { snapshotId, targets, found } = this.state;
    const now = this.site.timing.now();
    const seconds = (now - this.lastRate.at) / 1000;
    const perSecond = seconds > 0 ? Math.round((this.packets - this.lastRate.packets) / seconds) : 0;
    this.lastRate = { at: now, packets: this.packets };
    const toProbe = countAddresses(targets);
    const done = this.probed - this.probedAtStart;
    const secondsLeft =
      done > 0 ? Math.round(((now - this.startedAt) / 1000 / done) * (toProbe - this.probed)) : undefined;
    return {
      type: 'progress',
      snapshotId,
      probed: this.probed,
      toProbe,
      phase: this.phase,
      found,
      perSecond,
      ...(secondsLeft === undefined ? {} : { secondsLeft }),
      paused: this.gate.isPaused,
    };
  }

  private get probed(): number {
    const total = countAddresses(this.state.targets);
    return Math.min(total, this.state.nextBlock * blockSize + this.probedInBlock);
  }

  private async scanBlocks(onStored: () => void): Promise<ScanEnd | undefined> {
    const { signal } = this.controller;
    const context = this.discoveryContext();
    const search = new NeighborSearch(blocksOf(this.state.targets, this.state.nextBlock), context);
    try {
      await this.gate.pass(signal);
      for (let block = search.next(); block; block = search.next()) {
        await this.gate.pass(signal);
        const scanned = await this.scanBlock(block, context);
        signal.throwIfAborted();
        await this.saves.run(() => this.store(block.index, scanned));
        onStored();
      }
      return { type: 'done' };
    } catch (error) {
      if (signal.aborted) return signal.reason === abortedByServer ? { type: 'aborted' } : undefined;
      this.site.log({ level: 'error', message: 'a scan failed', reason: reasonOf(error) });
      return scanFailure('AGENT_ERROR', { reason: reasonOf(error) });
    } finally {
      await search.close();
    }
  }

  private discoveryContext(): DiscoveryContext {
    const { site } = this;
    return {
      admit: (address) => this.admit(address),
      reserve: (addresses, pauseMs) => this.reserve(addresses, pauseMs),
      interfaceOf: site.interfaceOf,
      scanners: site.scanners,
      table: kernelNeighborTable,
      tablePlan: this.tablePlan,
      tableSize: this.tableSize,
      perSecond: this.perSecond,
      ownMacaddr: site.ownMacaddr,
      portsOf: (address) => [...new Set([...site.policy.ports, ...site.credentialPorts(address)])],
      parallelHosts: this.parallelHosts,
      slots: site.hostSlots,
      signal: this.controller.signal,
      timing: site.timing,
      now: site.now,
      log: site.log,
      onProbed: () => void this.probedInBlock++,
    };
  }

  private async scanBlock(search: BlockSearch, context: DiscoveryContext): Promise<ScannedBlock> {
    const { site } = this;
    const { signal } = this.controller;
    this.phase = 'discover';
    const found = await discoverBlock(search, context);
    this.phase = 'collect';
    const read: ReadHost[] = [];
    await forEachParallel(found, this.parallelHosts, (host) =>
      site.hostSlots.run(async () => {
        await this.gate.pass(signal);
        read.push(await site.readHost(host, this.readContext()));
      }),
    );
    return { read, routers: await this.askRouters(read) };
  }

  /** Routers learn of hosts when the hosts are searched, after the routers themselves were read. */
  private async askRouters(read: readonly ReadHost[]): Promise<ReadHost[]> {
    const { site } = this;
    const asked: ReadHost[] = [];
    const routers = routersToAsk(this.state.routers ?? [], read);
    await forEachParallel(routers, this.parallelHosts, ({ address, ports }) =>
      site.hostSlots.run(async () => {
        await this.gate.pass(this.controller.signal);
        const router = { address, ports, at: site.now() };
        asked.push(await site.readHost(router, { ...this.readContext(), only: 'arp' }));
      }),
    );
    return asked;
  }

  private readContext(): ReadContext {
    return {
      signal: this.controller.signal,
      admit: async (address) => {
        if (!(await this.admit(address))) throw new Error('NOT_ALLOWED_BY_SITE');
      },
      failures: this.state.failures,
    };
  }

  /** Judged for each packet: the policy may have become stricter since the scan was planned. */
  private async admit(address: string): Promise<boolean> {
    const { signal } = this.controller;
    await this.gate.pass(signal);
    await this.rate.take(signal);
    await this.site.rate.take(signal);
    if (!includesAddress(this.permitted, address)) return false;
    this.packets++;
    return true;
  }

  /** For all packets of a program at once, while it runs: those that it repeats follow after a pause. */
  private async reserve(addresses: readonly string[], pauseMs: number): Promise<string[]> {
    const { signal } = this.controller;
    const permitted = addresses.filter((address) => includesAddress(this.permitted, address));
    const packets = permitted.length * packetsPerTarget;
    if (packets === 0) return [];
    const inPause = Math.ceil((this.perSecond * pauseMs) / 1000);
    do {
      await this.gate.pass(signal);
      const reserved = Math.max(packets, permitted.length + inPause);
      await this.rate.take(signal, reserved);
      await this.site.rate.take(signal, reserved);
    } while (this.gate.isPaused);
    this.packets += packets;
    return permitted;
  }

  private async store(block: number, { read, routers }: ScannedBlock): Promise<void> {
    const learned = learnMacs([...read, ...routers], this.state.targets);
    const merged = mergeHosts(applyLearnedMacs(read, learned), this.state);
    const chunks: Chunk[] = makeChunks(merged.results);
    const first = this.state.chunks;
    const next: ScanState = {
      ...this.state,
      nextBlock: block + 1,
      chunks: first + chunks.length,
      found: this.state.found + merged.results.length,
      owned: merged.owned,
      routers: addRouters(this.state.routers ?? [], read),
    };
    await this.spool.commit(next, first, chunks);
    Object.assign(this.state, next);
    this.probedInBlock = 0;
    for (let index = 0; index < chunks.length; index++) this.pending.push(first + index);
  }

  private async finish(end: ScanEnd | undefined): Promise<void> {
    if (!end) return;
    this.state.end ??= end;
    // The end is sent anyway; without a state folder, the next run of the agent does not know the scan.
    await this.saves
      .run(() => this.spool.save(this.state))
      .catch((error) => {
        this.site.log({
          level: 'error',
          message: 'the state folder cannot be written',
          reason: reasonOf(error),
        });
      });
  }
}

/** Blocks from `first` on, each with its number. */
function* blocksOf(targets: readonly Ipv4Range[], first: number): Generator<[number, string[]]> {
  let index = 0;
  let block: string[] = [];
  for (const address of addressesOf(targets)) {
    block.push(address);
    if (block.length < blockSize) continue;
    if (index >= first) yield [index, block];
    index++;
    block = [];
  }
  if (block.length > 0 && index >= first) yield [index, block];
}
