// Looks for the neighbors of a scan ahead of the blocks that use them, so that the waits for answers overlap.
import { setMaxListeners } from 'node:events';
import type { NeighborTablePlan } from '@yagura/core/inventory/scan-report';
import type { Log } from '../log.ts';
import { type AskContext, awaitNeighbors, requestNeighbors } from './ask-neighbors.ts';
import { BlockSearch } from './block-search.ts';
import { blockSize, blocksAhead, maxScannerTargets } from './discovery-limits.ts';
import { arpScanPauseMs, byInterface, type InstalledScanners } from './installed-scanners.ts';
import type { Neighbor } from './neighbor-table.ts';

export interface SearchContext extends AskContext {
  /**
   * Resolves when a program may begin to send to the returned addresses, those that the policy permits now. Until it has
   * sent all its packets, nothing else of the scan is sent. `pauseMs` is its wait before it repeats a packet.
   */
  reserve(addresses: readonly string[], pauseMs: number): Promise<string[]>;
  /** The interface on whose link the address is; undefined behind routers. */
  interfaceOf(address: string): string | undefined;
  /** Hardware address of one of this machine's own addresses. */
  ownMacaddr(address: string): string | undefined;
  scanners: InstalledScanners;
  log: Log;
  /** How a search that is larger than the kernel's table is made. */
  tablePlan: NeighborTablePlan | undefined;
  /** Entries that the kernel's table can hold. */
  tableSize: number;
  perSecond: number;
}

/** Milliseconds between looks at the table, and at most, until it has room: the kernel clears it each 15 s or so. */
const roomPollMs = 100;
const roomWaitMs = 30_000;

export class NeighborSearch {
  private readonly blocks: Iterator<[index: number, addresses: string[]]>;
  private readonly context: SearchContext;
  private readonly planned: BlockSearch[] = [];
  private readonly working = new Set<Promise<void>>();
  private readonly controller = new AbortController();
  private readonly groupSize: number;
  /** Addresses of one wave of requests: a small table must have room for it. */
  private readonly waveSize: number;
  private tableCheck: Promise<boolean> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(blocks: Iterator<[index: number, addresses: string[]]>, context: SearchContext) {
    this.blocks = blocks;
    const signal = AbortSignal.any([context.signal, this.controller.signal]);
    setMaxListeners(0, signal);
    this.context = { ...context, signal };
    // Two packets for each address, so that a pause or a stricter pace takes effect after about two seconds.
    const targets = Math.min(context.perSecond, maxScannerTargets);
    this.groupSize = context.tablePlan === 'arp-scan' ? Math.max(1, Math.floor(targets / blockSize)) : 1;
    this.waveSize = Math.max(1, Math.min(blockSize, Math.floor(context.tableSize / 3)));
  }

  /** The next block, in order; its search and those of a few more blocks have begun. */
  next(): BlockSearch | undefined {
    while (this.planned.length <= Math.max(blocksAhead, this.groupSize)) if (!this.plan()) break;
    return this.planned.shift();
  }

  /** Ends the searches that have begun. */
  async close(): Promise<void> {
    this.controller.abort(new Error('the search is over'));
    while (this.working.size > 0) await Promise.all(this.working);
  }

  /** Begins the search of further blocks; false if there are none. */
  private plan(): boolean {
    const group: BlockSearch[] = [];
    while (group.length < this.groupSize) {
      const { value, done } = this.blocks.next();
      if (done) break;
      const [index, addresses] = value;
      group.push(new BlockSearch(index, addresses, this.interfacesOf(addresses)));
    }
    this.planned.push(...group);
    if (group.length > 0) this.track(this.search(group), group);
    return group.length > 0;
  }

  private interfacesOf(addresses: readonly string[]): Map<string, string> {
    const { ownMacaddr, interfaceOf } = this.context;
    const interfaces = new Map<string, string>();
    for (const address of addresses) {
      const ifname = ownMacaddr(address) === undefined ? interfaceOf(address) : undefined;
      if (ifname !== undefined) interfaces.set(address, ifname);
    }
    return interfaces;
  }

  private async search(group: readonly BlockSearch[]): Promise<void> {
    const searches = group.filter(({ interfaces }) => interfaces.size > 0);
    this.tableCheck ??= this.context.table.readNeighbors().then((neighbors) => neighbors !== undefined);
    const hasTable = await this.tableCheck;
    const isScanned =
      searches.length > 0 &&
      (this.context.tablePlan === 'arp-scan' || !hasTable) &&
      (await this.scan(searches));
    for (const block of group) {
      if (block.interfaces.size > 0 && !isScanned) {
        if (hasTable) {
          await this.ask(block);
          continue;
        }
        // Nothing can look for neighbors here.
        block.interfaces.clear();
      }
      block.begin();
      block.end();
    }
  }

  /** False if arp-scan cannot be used. */
  private async scan(searches: readonly BlockSearch[]): Promise<boolean> {
    const { scanners, perSecond, signal, reserve } = this.context;
    if (!scanners.findNeighbors) return false;
    const found: [string, Neighbor][] = [];
    const interfaces = new Map(searches.flatMap((search) => [...search.interfaces]));
    for (const [ifname, all] of byInterface(interfaces)) {
      const addresses = await this.inTurn(() => reserve(all, arpScanPauseMs));
      if (addresses.length === 0) continue;
      const part = await scanners.findNeighbors({ addresses, perSecond, signal }, ifname);
      if (!part) return false;
      found.push(...part);
    }
    for (const [address, neighbor] of found)
      searches.find((search) => search.interfaces.has(address))?.add(address, neighbor);
    return true;
  }

  /** Has the kernel look for the addresses of a block; returns when it was asked for all of them. */
  private ask(block: BlockSearch): Promise<void> {
    return this.inTurn(async () => {
      const { context } = this;
      block.begin(new Set((await context.table.readNeighbors())?.keys()));
      const addresses = [...block.interfaces.keys()];
      const waits: Promise<void>[] = [];
      for (let start = 0; start < addresses.length; start += this.waveSize) {
        const wave = addresses.slice(start, start + this.waveSize);
        await this.waitForRoom(wave.length);
        const { requested, withoutEntry } = await requestNeighbors(wave, context);
        this.giveUp(block, withoutEntry);
        const found = awaitNeighbors(requested, context, (address, neighbor) => block.add(address, neighbor));
        const wait = found.then(() => this.forgetUnanswered(block, wave));
        this.track(wait, [block]);
        waits.push(wait);
      }
      this.track(
        Promise.all(waits).then(() => block.end()),
        [block],
      );
    });
  }

  private giveUp(block: BlockSearch, addresses: ReadonlySet<string>): void {
    if (addresses.size === 0) return;
    for (const address of addresses) block.withoutEntry.add(address);
    const message =
      'the kernel does not look for some neighbors, its table may be full; their ports are tried';
    this.context.log({ level: 'warn', message, addresses: addresses.size });
  }

  /** Entries of addresses without a host would fill the table. */
  private async forgetUnanswered({ interfaces }: BlockSearch, wave: readonly string[]): Promise<void> {
    const { tablePlan, scanners, signal } = this.context;
    if (tablePlan === undefined || !scanners.flush) return;
    const part = new Map(wave.map((address) => [address, interfaces.get(address)!]));
    for (const [ifname, addresses] of byInterface(part))
      await scanners.flush({ addresses, signal, only: 'unanswered' }, ifname);
  }

  /** Waits until entries were removed or have expired. */
  private async waitForRoom(needed: number): Promise<void> {
    const { table, tablePlan, tableSize, timing, signal } = this.context;
    if (tablePlan === undefined) return;
    const end = timing.now() + roomWaitMs;
    const countEntries = async () => (await table.readEntries())?.size ?? 0;
    while (timing.now() < end && (await countEntries()) + needed > tableSize)
      await timing.sleep(roomPollMs, signal);
  }

  /** Requests are sent by one search at a time. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  private track(work: Promise<void>, blocks: readonly BlockSearch[]): void {
    const tracked = work
      .catch((error) => {
        for (const block of blocks) block.fail(error);
      })
      .finally(() => this.working.delete(tracked));
    this.working.add(tracked);
  }
}
