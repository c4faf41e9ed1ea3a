// The durable queue of finished scans whose hosts are merged into the managed nodes.
import type { NextId } from '../../common/id.ts';
import type { Transaction } from '../../db/database.ts';
import type { Job } from '../../jobs/job-queue.ts';
import { QueueWorker, type QueueWorkerDeps } from '../../jobs/queue-worker.ts';
import { findSnapshot, type Scan, scanOf } from '../scan-snapshot.ts';
import {
  AggregationRun,
  type AggregationState,
  type BatchLimits,
  defaultLimits,
  initialState,
  LeaseLost,
  SnapshotGone,
} from './aggregation-run.ts';
import type { NamedNodes } from './named-nodes.ts';

/** Maximum scans merged at a time. */
const maxConcurrent = 2;

export interface AggregationHooks {
  onProgress(scan: Scan): void;
  /** In the transaction in which the scan succeeds. */
  complete(tx: Transaction, scan: Scan, nodes: { created: NamedNodes; outdated: NamedNodes }): Promise<void>;
  /** Fails a scan whose hosts could not be merged, in the transaction that removes the job. */
  fail(tx: Transaction, snapshotId: string): Promise<Scan | null>;
  /** After the commit of either. */
  onEnded(scan: Scan): void;
}

export class Aggregation {
  private readonly deps: QueueWorkerDeps & { nextId: NextId };
  private readonly hooks: AggregationHooks;
  private readonly limits: BatchLimits;
  private readonly worker: QueueWorker<AggregationState>;
  private isClosing = false;

  constructor(deps: Aggregation['deps'], hooks: AggregationHooks, limits = defaultLimits) {
    this.deps = deps;
    this.hooks = hooks;
    this.limits = limits;
    this.worker = new QueueWorker(deps, {
      queue: 'sonar-aggregation',
      maxConcurrent,
      failureMessage: 'the hosts of a scan could not be merged, will be tried again',
      work: (job) => this.aggregate(job),
      giveUp: async (tx, { payload }) => {
        const scan = await hooks.fail(tx, payload.snapshotId);
        return scan ? () => hooks.onEnded(scan) : undefined;
      },
    });
  }

  start(): Promise<void> {
    return this.worker.start();
  }

  /** Stops after the current transaction; the job is released. */
  close(): Promise<void> {
    this.isClosing = true;
    return this.worker.close();
  }

  /** Adds a scan, in the transaction in which its last hosts have arrived. */
  add(tx: Transaction, { spaceId, snapshotId }: Scan): Promise<void> {
    return this.worker.queue.add(tx, spaceId, initialState(snapshotId));
  }

  wake(): void {
    this.worker.wake();
  }

  /** Resolves when no scan is being merged or waits for it. */
  idle(): Promise<void> {
    return this.worker.idle();
  }

  private async aggregate(job: Job<AggregationState>): Promise<void> {
    const { deps, hooks, limits } = this;
    const { queue } = this.worker;
    const row = await findSnapshot(deps.database, job.payload.snapshotId);
    if (row?.status !== 'processing') return void (await queue.settle(deps.database, job, null));
    const { space_id: spaceId, network_id: networkId } = row;
    const isClosing = () => this.isClosing;
    const run = new AggregationRun({ deps, queue, job, spaceId, networkId, limits, isClosing });
    try {
      if (!(await run.run())) {
        hooks.onProgress(scanOf(row, 'processing'));
        this.wake();
        return;
      }
      const scan = scanOf(row, 'succeeded');
      await run.complete((tx) => hooks.complete(tx, scan, run.state));
      hooks.onEnded(scan);
    } catch (error) {
      if (error instanceof SnapshotGone) await queue.settle(deps.database, job, null);
      else if (!(error instanceof LeaseLost)) throw error;
    }
  }
}
