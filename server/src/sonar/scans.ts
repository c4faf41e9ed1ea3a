// Manages scans from request to completion: the snapshot is the record, the agent does the work, aggregation
// completes it.
import { reportedFailure, storedFailure } from '@yagura/core/inventory/scan-failure';
import type { AgentMessage, AgentProtocol, ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import type { ScanEvent } from '@yagura/core/sonar/scan-event';
import { isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { toStoreText } from '../db/store-json.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { isRowFault } from '../jobs/poison-row-guard.ts';
import type { QueueWorkerDeps } from '../jobs/queue-worker.ts';
import type { TaskReason } from '../jobs/task-runner.ts';
import { Aggregation } from './aggregation/aggregation.ts';
import { createSnapshotIndexer, type SnapshotIndexer } from './aggregation/snapshot-indexer.ts';
import { checkScanRequest } from './check-scan-request.ts';
import {
  findLostScans,
  findSnapshot,
  isRunning,
  type NotifiedScan,
  runningStatuses,
  type Scan,
  type SnapshotRow,
  scanOf,
  scanOrder,
  snapshotColumns,
} from './scan-snapshot.ts';
import { noProgress, type ScanProgress, storeProgress } from './store-progress.ts';
import { countChunks, excessOf, storeChunk } from './store-scanned-hosts.ts';

/** What an agent is told about a scan. */
export interface ScanOrder {
  type: 'scan' | 'abort' | 'pause' | 'resume';
  snapshotId: string;
}

/** Access to the connected agents. */
export interface AgentConnections {
  isConnected(db: Queryable, ksocketSlotId: string): Promise<boolean>;
  order(tx: Pick<Transaction, 'notify'>, slot: string, order: ScanOrder): Promise<void>;
}

interface ScanAgent {
  spaceId: string;
  ksocketSlotId: string;
  readonly protocol: AgentProtocol;
  send(message: ServerMessage): void;
}

/** Listens to scan events, for tasks and notifications. `tx` is the transaction of the event. */
export interface ScanListener {
  onScanEvent(
    tx: Transaction,
    scan: NotifiedScan,
    event: ScanEvent,
    details: Record<string, unknown>,
  ): Promise<void>;
}

/** Milliseconds without a message from the agent after which a scan counts as failed. */
const silentAgentTimeoutMs = 10 * 60_000;
const pollIntervalMs = 30_000;

/** Messages from agents about scans. */
type ScanMessage = Exclude<AgentMessage, { type: 'answer' | 'unanswered' | 'estimated' }>;

export class Scans {
  private readonly deps: QueueWorkerDeps & {
    changes: ChangeBus;
    nextId: NextId;
    agents: AgentConnections;
  };
  private readonly listeners: ScanListener[] = [];
  private readonly endListeners = new Set<(scan: Scan) => void>();
  private readonly silenceCheck: PeriodicJob;
  /** Merges the hosts of finished scans into the managed nodes. */
  private readonly aggregation: Aggregation;
  /** Writes packages and search values of snapshots that have succeeded. */
  private readonly indexer: SnapshotIndexer;

  constructor(deps: Scans['deps']) {
    this.deps = deps;
    const { clock, log } = deps;
    this.silenceCheck = new PeriodicJob({
      ...{ clock, log },
      intervalMs: pollIntervalMs,
      failureMessage: 'scans could not be looked after',
      work: () => this.failLostScans(),
    });
    this.indexer = createSnapshotIndexer(deps);
    this.aggregation = new Aggregation(deps, {
      onProgress: (scan) => this.announce(scan),
      complete: async (tx, scan, { created, outdated }) => {
        await this.indexer.queue.add(tx, scan.spaceId, { snapshotId: scan.snapshotId });
        await this.notifyListeners(tx, scan, 'scan:succeeded', { numberOfFoundNodes: created.numberOfNodes });
        if (created.numberOfNodes > 0) await this.notifyListeners(tx, scan, 'node:found', { ...created });
        if (outdated.numberOfNodes > 0)
          await this.notifyListeners(tx, scan, 'node:outdated', { ...outdated });
      },
      fail: (tx, snapshotId) =>
        this.endIn(tx, snapshotId, 'failed', storedFailure('NOT_PROCESSED'), ['processing']),
      onEnded: (scan) => {
        this.indexer.wake();
        this.onEnded(scan);
      },
    });
  }

  async start(): Promise<void> {
    this.silenceCheck.start();
    await this.aggregation.start();
    await this.indexer.start();
  }

  async close(): Promise<void> {
    await this.silenceCheck.close();
    await this.aggregation.close();
    await this.indexer.close();
  }

  /** Resolves when the hosts of all finished scans are merged and indexed. */
  async idle(): Promise<void> {
    await this.aggregation.idle();
    await this.indexer.idle();
  }

  /** Adds a listener called in the transaction of the scan's change. */
  listen(listener: ScanListener): void {
    this.listeners.push(listener);
  }

  /**
   * Adds a callback for ended scans, called in the replica that ended them; returns the unsubscribe function.
   */
  onEnd(listener: (scan: Scan) => void): () => void {
    this.endListeners.add(listener);
    return () => void this.endListeners.delete(listener);
  }

  /**
   * Requests a scan of a network for a task, in the transaction that stores it. Throws ScanRefused when it
   * cannot start.
   */
  async requestIn(tx: Transaction, spaceId: string, networkId: string, taskId: string): Promise<string> {
    const { nextId, agents } = this.deps;
    const snapshotId = nextId();
    const now = this.now();
    const { ksocketSlotId, scope } = await checkScanRequest(tx, agents, spaceId, networkId);
    await tx.query(
      `insert into snapshot (snapshot_id, space_id, network_id, ksocket_slot_id, task_id, status, settings, heard_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'requested', $6, $7, $7, $7)`,
      [snapshotId, spaceId, networkId, ksocketSlotId, taskId, JSON.stringify(scope), now],
    );
    await agents.order(tx, ksocketSlotId, { type: 'scan', snapshotId });
    return snapshotId;
  }

  /** Notifies of a scheduled scan that could not start. */
  async notifyRejectedIn(
    tx: Transaction,
    spaceId: string,
    networkId: string,
    taskId: string,
    reason: TaskReason,
  ): Promise<void> {
    const scan = { spaceId, networkId, taskId, snapshotId: null, status: 'rejected' };
    await this.notifyListeners(tx, scan, 'scan:failedtostart', { reason });
  }

  /** Ends the running scan of an aborted task. Results so far stay in the snapshot. */
  async abortIn(tx: Transaction, taskId: string): Promise<void> {
    const { rows } = await tx.query<{ snapshot_id: string }>(
      'select snapshot_id from snapshot where task_id = $1',
      [taskId],
    );
    if (rows[0]) await this.endIn(tx, rows[0].snapshot_id, 'aborted', null);
  }

  /** Composes the message of an order in the replica connected to the agent. */
  async compose(order: ScanOrder, protocol: AgentProtocol): Promise<ServerMessage | null> {
    const { type, snapshotId } = order;
    if (type === 'abort') return { type, snapshotId };
    const row = await findSnapshot(this.deps.database, snapshotId);
    if (!row || !isRunning(row)) return null;
    if (type === 'scan') return scanOrder(row, protocol);
    return protocol === 1 ? null : { type, snapshotId };
  }

  async onMessage(agent: ScanAgent, message: ScanMessage): Promise<void> {
    if (message.type === 'hello') return this.onConnected(agent, message.scanning);
    const { database, nextId } = this.deps;
    const { snapshotId } = message;
    const row = await findSnapshot(database, snapshotId);
    if (
      !row ||
      !isRunning(row) ||
      row.ksocket_slot_id !== agent.ksocketSlotId ||
      row.space_id !== agent.spaceId
    ) {
      agent.send({ type: 'closed', snapshotId });
      return;
    }
    switch (message.type) {
      case 'progress':
        return this.progress(row, message);
      case 'hosts': {
        const stored = await database.transaction((tx) =>
          storeChunk(tx, nextId, {
            spaceId: row.space_id,
            networkId: row.network_id,
            snapshotId,
            chunk: message.chunk,
            hosts: message.hosts,
            refusals: message.refusals,
            now: this.now(),
          }),
        );
        const excess = stored && excessOf(stored);
        if (excess) {
          await this.end(snapshotId, 'failed', excess);
          agent.send({ type: 'closed', snapshotId });
          return;
        }
        await this.progress(row, null);
        agent.send({ type: 'stored', snapshotId, chunk: message.chunk });
        return;
      }
      case 'done':
        await this.finish(row, message.chunks);
        break;
      case 'failed':
        await this.end(snapshotId, 'failed', toStoreText(reportedFailure(message)));
        break;
      case 'aborted':
        await this.end(snapshotId, 'aborted', null);
    }
    agent.send({ type: 'closed', snapshotId });
  }

  /**
   * Handles the hello of a (re)connected agent: sends it pending orders, and fails scans it no longer knows.
   */
  private async onConnected(agent: ScanAgent, scanning: readonly string[]): Promise<void> {
    const { rows } = await this.deps.database.query<SnapshotRow>(
      `select ${snapshotColumns} from snapshot where ksocket_slot_id = $1 and space_id = $2 and status in ('requested', 'started') order by created_at`,
      [agent.ksocketSlotId, agent.spaceId],
    );
    for (const row of rows.filter((one) => !scanning.includes(one.snapshot_id))) {
      if (row.status === 'requested') agent.send(scanOrder(row, agent.protocol));
      else await this.end(row.snapshot_id, 'failed', storedFailure('AGENT_RESTARTED'));
    }
    for (const snapshotId of scanning) {
      if (!rows.some((row) => row.snapshot_id === snapshotId)) agent.send({ type: 'abort', snapshotId });
    }
  }

  private async progress(row: SnapshotRow, progress: ScanProgress | null): Promise<void> {
    await this.deps.database.transaction(async (tx) => {
      const isFirst = await storeProgress(tx, row.snapshot_id, progress, this.now());
      if (isFirst) await this.notifyListeners(tx, scanOf(row, 'started'), 'scan:started', {});
    });
    this.announce(scanOf(row, 'started'));
  }

  /**
   * All chunks have arrived: from now on the agent is not needed, and the scan can neither be aborted nor fall
   * silent.
   */
  private async finish(row: SnapshotRow, chunks: number): Promise<void> {
    const { snapshot_id: snapshotId } = row;
    const scan = scanOf(row, 'processing');
    const done = await this.deps.database
      .transaction(async (tx) => {
        // A task that is asked to abort ends its scan.
        const { rows: tasks } = await tx.query<{ abort_requested: boolean }>(
          'select abort_requested from task where task_id = $1 for update',
          [row.task_id],
        );
        const { rows } = await tx.query<SnapshotRow>(
          `select ${snapshotColumns} from snapshot where snapshot_id = $1 for update`,
          [snapshotId],
        );
        if (!rows[0] || !isRunning(rows[0]) || tasks[0]?.abort_requested) return false;
        const arrived = await countChunks(tx, snapshotId);
        if (arrived !== chunks) throw new MissingChunks(arrived, chunks);
        await tx.query(
          // The last progress that an agent reports is of before its last addresses.
          `update snapshot set status = 'processing', probed = to_probe, ${noProgress}, started_at = coalesce(started_at, created_at), terminated_at = $2, heard_at = $2, updated_at = $2
         where snapshot_id = $1`,
          [snapshotId, this.now()],
        );
        await this.aggregation.add(tx, scan);
        return true;
      })
      .catch(async (error) => {
        if (!(error instanceof MissingChunks)) throw error;
        await this.end(snapshotId, 'failed', error.message);
        return false;
      });
    if (!done) return;
    this.announce(scan);
    this.aggregation.wake();
  }

  /** Ends a scan without a result, unless it has already ended. */
  private async end(snapshotId: string, status: 'failed' | 'aborted', reason: string | null): Promise<void> {
    const scan = await this.deps.database.transaction((tx) => this.endIn(tx, snapshotId, status, reason));
    if (scan) this.onEnded(scan);
  }

  private async endIn(
    tx: Transaction,
    snapshotId: string,
    status: 'failed' | 'aborted',
    reason: string | null,
    from: readonly string[] = runningStatuses,
  ): Promise<Scan | null> {
    const { rows } = await tx.query<SnapshotRow & { was: string }>(
      `update snapshot s set status = $2, reason = $3, ${noProgress}, terminated_at = $4, updated_at = $4
       from (select snapshot_id, status as was from snapshot where snapshot_id = $1 for update) b
       where s.snapshot_id = b.snapshot_id and b.was = any($5::text[])
       returning ${snapshotColumns
         .split(', ')
         .map((name) => `s.${name}`)
         .join(', ')}, b.was`,
      [snapshotId, status, reason, this.now(), from],
    );
    const row = rows[0];
    if (!row) return null;
    const ended = scanOf(row, status);
    if (status === 'failed') {
      const event = row.was === 'requested' ? 'scan:failedtostart' : 'scan:failed';
      await this.notifyListeners(tx, ended, event, { reason });
    } else await this.deps.agents.order(tx, row.ksocket_slot_id, { type: 'abort', snapshotId });
    return ended;
  }

  /** A scan whose processing fails does not block the others; it is retried later. */
  private async alone(snapshotId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const message = 'a scan could not be looked after';
      this.deps.log({ level: 'error', message, snapshotId, ...errorFields(error) });
    }
  }

  /** Fails scans without recent messages, and those whose slot is deleted. */
  private async failLostScans(): Promise<void> {
    const { database, clock } = this.deps;
    const lost = await findLostScans(database, isoTime(clock.now() - silentAgentTimeoutMs));
    for (const { snapshotId, hasSlot } of lost) {
      const reason = storedFailure(hasSlot ? 'AGENT_SILENT' : 'AGENT_UNASSIGNED');
      await this.alone(snapshotId, () => this.end(snapshotId, 'failed', reason));
    }
  }

  private async notifyListeners(
    tx: Transaction,
    scan: NotifiedScan,
    event: ScanEvent,
    details: Record<string, unknown>,
  ): Promise<void> {
    for (const listener of this.listeners) await listener.onScanEvent(tx, scan, event, details);
  }

  private onEnded(scan: Scan): void {
    this.announce(scan);
    for (const listener of this.endListeners) listener(scan);
  }

  private announce(scan: Scan): void {
    const { spaceId, snapshotId, networkId } = scan;
    const at = this.now();
    this.deps.changes.publish([
      { spaceId, resource: 'snapshot', id: snapshotId, scope: networkId, op: 'update', at },
      ...(scan.status === 'succeeded'
        ? [{ spaceId, resource: 'network', id: networkId, op: 'update' as const, state: true as const, at }]
        : []),
    ]);
  }

  private now(): string {
    return isoTime(this.deps.clock.now());
  }
}

class MissingChunks extends Error {
  constructor(arrived: number, announced: number) {
    super(storedFailure('MISSING_RESULTS', { arrived, announced }));
  }
}
