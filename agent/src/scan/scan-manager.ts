// Executes the server's orders and sends what scans found, until the server has stored it.
import {
  type AgentMessageInput,
  type AgentProtocol,
  agentLimits,
  type ScanOrderSettings,
  type ServerMessage,
} from '@yagura/core/ksocket/agent-protocol';
import { isIpv4OrCidr } from '@yagura/core/validation/ipv4';
import { type Log, reasonOf } from '../log.ts';
import { type OwnNetwork, ownNetworks } from '../site/own-networks.ts';
import { ActiveScan, type ScanSite } from './active-scan.ts';
import { estimateScan } from './estimate.ts';
import { toVersion1 } from './make-chunks.ts';
import { scanFailure } from './scan-failure.ts';
import type { ScanSpool, ScanState } from './scan-spool.ts';

/** The protocol's limit on scans that are named in `hello`. */
const maxScans = 10;
/** Chunks that are sent before the first of them is acknowledged. */
const maxInFlight = 2;
const progressIntervalMs = 1000;

export interface Connection {
  send(message: AgentMessageInput): boolean;
}

interface Entry {
  scan: ActiveScan;
  inFlight: Set<number>;
  endSent: boolean;
}

export class ScanManager {
  private readonly site: ScanSite;
  private readonly spool: ScanSpool;
  private readonly connection: Connection;
  private readonly log: Log;
  private readonly networks: () => readonly OwnNetwork[];
  private readonly entries = new Map<string, Entry>();
  private readonly working = new Set<Promise<unknown>>();
  private protocol: AgentProtocol | undefined;
  private readonly stop = new AbortController();
  private progressTimer: NodeJS.Timeout | undefined;

  constructor(deps: {
    site: ScanSite;
    spool: ScanSpool;
    connection: Connection;
    log: Log;
    networks?: () => readonly OwnNetwork[];
  }) {
    this.site = deps.site;
    this.spool = deps.spool;
    this.connection = deps.connection;
    this.log = deps.log;
    this.networks = deps.networks ?? ownNetworks;
  }

  /** Continues the scans of the last run. */
  async start(): Promise<void> {
    const spooled = await this.spool.load((name) =>
      this.log({ level: 'warn', message: 'a damaged scan was deleted from the state folder', name }),
    );
    for (const one of spooled) this.add(new ActiveScan(this.site, this.spool, one));
    this.progressTimer = setInterval(() => this.reportProgress(), progressIntervalMs);
  }

  /** Stops all work; scans stay in the spool. */
  async close(): Promise<void> {
    clearInterval(this.progressTimer);
    this.stop.abort(new Error('the agent stops'));
    while (this.working.size > 0) await Promise.all(this.working);
  }

  scanning(): string[] {
    return [...this.entries.keys()];
  }

  onReady(protocol: AgentProtocol): void {
    this.protocol = protocol;
    for (const entry of this.entries.values()) this.track(this.flush(entry));
  }

  onClosed(): void {
    this.protocol = undefined;
    for (const entry of this.entries.values()) {
      entry.inFlight.clear();
      entry.endSent = false;
    }
  }

  /** Handles messages about scans. */
  onMessage(message: Exclude<ServerMessage, { type: 'welcome' | 'request' }>): void {
    if (message.type === 'estimate') {
      this.estimate(message.requestId, message.settings);
      return;
    }
    const entry = this.entries.get(message.snapshotId);
    switch (message.type) {
      case 'scan':
        if (!entry) this.track(this.begin(message.snapshotId, message.settings));
        return;
      case 'abort':
        if (entry) entry.scan.abort();
        else this.send({ type: 'aborted', snapshotId: message.snapshotId });
        return;
      case 'pause':
      case 'resume':
        if (entry)
          this.track(
            entry.scan.setPaused(message.type === 'pause').then(() => this.send(entry.scan.progress())),
          );
        return;
      case 'stored':
        if (entry) this.track(this.onStored(entry, message.chunk));
        return;
      case 'closed':
        if (entry) this.track(this.forget(message.snapshotId, entry));
    }
  }

  private async begin(snapshotId: string, settings: ScanOrderSettings): Promise<void> {
    const fail = (...failure: Parameters<typeof scanFailure>) =>
      this.send({ ...scanFailure(...failure), snapshotId });
    if (this.entries.size >= maxScans) return fail('TOO_MANY_SCANS', { max: maxScans });
    const invalid = invalidNetwork(settings);
    if (invalid !== undefined) return fail('INVALID_NETWORK', { network: invalid });
    const { targets, addresses } = estimateScan(
      this.site.policy,
      settings,
      this.networks(),
      this.site.abilities,
    );
    if (addresses === 0) return fail('NOTHING_PERMITTED');
    if (addresses > agentLimits.hosts)
      return fail('TOO_MANY_ADDRESSES', { addresses, max: agentLimits.hosts });
    const state: ScanState = {
      ...{ snapshotId, settings, targets, owned: {}, failures: {} },
      ...{ nextBlock: 0, chunks: 0, found: 0, paused: false },
    };
    // Known from here on, so that a repeated order does not start a second scan.
    const scan = new ActiveScan(this.site, this.spool, { state, pending: [] });
    const entry = { scan, inFlight: new Set<number>(), endSent: false };
    this.entries.set(snapshotId, entry);
    try {
      await this.spool.create(state);
    } catch (error) {
      state.end = scanFailure('STATE_UNWRITABLE', { reason: reasonOf(error) });
    }
    this.log({ level: 'info', message: 'a scan begins', snapshotId, addresses });
    this.run(entry);
    this.send(scan.progress());
  }

  private add(scan: ActiveScan): void {
    const entry = { scan, inFlight: new Set<number>(), endSent: false };
    this.entries.set(scan.state.snapshotId, entry);
    this.run(entry);
  }

  private run(entry: Entry): void {
    const work = async () => {
      await entry.scan.run(this.stop.signal, () => this.track(this.flush(entry)));
      const { snapshotId, found, end } = entry.scan.state;
      if (end) this.log({ level: 'info', message: 'a scan ended', snapshotId, found, end: end.type });
      await this.flush(entry);
    };
    this.track(work());
  }

  /** Sends the next chunks; the end follows when the server has stored all of them. */
  private async flush(entry: Entry): Promise<void> {
    const { scan, inFlight } = entry;
    const { snapshotId } = scan.state;
    // What an aborted or failed scan has found is still sent.
    while (this.protocol !== undefined && inFlight.size < maxInFlight) {
      const chunk = scan.pending.find((number) => !inFlight.has(number));
      if (chunk === undefined) break;
      inFlight.add(chunk);
      const content = await this.spool.readChunk(snapshotId, chunk).catch((error) => {
        scan.fail(scanFailure('RESULTS_UNREADABLE', { reason: reasonOf(error) }));
      });
      if (!content) return this.flush(entry);
      if (this.protocol === undefined) return;
      const shape = this.protocol === 1 ? toVersion1(content) : content;
      this.send({ type: 'hosts', snapshotId, chunk, ...shape });
    }
    const { end, chunks } = scan.state;
    if (this.protocol === undefined || !end || scan.pending.length > 0 || entry.endSent) return;
    entry.endSent = true;
    if (end.type === 'done') this.send({ type: 'done', snapshotId, chunks });
    else this.send({ ...end, snapshotId });
  }

  private async onStored(entry: Entry, chunk: number): Promise<void> {
    const { scan, inFlight } = entry;
    inFlight.delete(chunk);
    const index = scan.pending.indexOf(chunk);
    if (index >= 0) scan.pending.splice(index, 1);
    await this.spool.deleteChunk(scan.state.snapshotId, chunk);
    await this.flush(entry);
  }

  private async forget(snapshotId: string, entry: Entry): Promise<void> {
    this.entries.delete(snapshotId);
    entry.scan.abort();
    await entry.scan.ended();
    await this.spool.delete(snapshotId);
  }

  private estimate(requestId: string, settings: ScanOrderSettings): void {
    if (invalidNetwork(settings) !== undefined) {
      this.send({ type: 'unanswered', requestId, code: 'INVALID_SETTINGS' });
      return;
    }
    const { addresses, packets, seconds, excluded, limits } = estimateScan(
      this.site.policy,
      settings,
      this.networks(),
      this.site.abilities,
    );
    this.send({ type: 'estimated', requestId, addresses, packets, seconds, excluded, limits });
  }

  private reportProgress(): void {
    for (const { scan } of this.entries.values()) if (!scan.state.end) this.send(scan.progress());
  }

  private send(message: AgentMessageInput): void {
    if (this.protocol !== undefined) this.connection.send(message);
  }

  private track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error) =>
        this.log({ level: 'error', message: 'work for a scan failed', reason: reasonOf(error) }),
      )
      .finally(() => this.working.delete(tracked));
    this.working.add(tracked);
  }
}

function invalidNetwork({ seeds, allowed, forbidden }: ScanOrderSettings): string | undefined {
  return [...seeds, ...allowed, ...forbidden].find((entry) => !isIpv4OrCidr(entry))?.slice(0, 100);
}
