// Merges the hosts of one finished scan into the managed nodes, in stages of short transactions. Each transaction
// stores how far the run is, so that it goes on from there in any process.
import { setImmediate } from 'node:timers/promises';
import { isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { errorFields } from '../../common/log.ts';
import type { Transaction } from '../../db/database.ts';
import type { Job, JobQueue } from '../../jobs/job-queue.ts';
import { isRowFault, OutdatedBatch, runIsolatingFaults } from '../../jobs/poison-row-guard.ts';
import type { QueueWorkerDeps } from '../../jobs/queue-worker.ts';
import { findCloned, storeCloned } from './cloned-signatures.ts';
import { type MergeRequest, type MergeResult, mergeHosts } from './merge-hosts.ts';
import { addNodes, type NamedNode, type NamedNodes, noNodes } from './named-nodes.ts';
import { findFormerNodes, readSightings, releaseAddresses } from './release-addresses.ts';
import { beforeHosts, type HostKey, type HostPosition, readHostKeys } from './snapshot-hosts.ts';

/** How much one transaction may do. */
export interface BatchLimits {
  hosts: number;
  /** A transaction that took longer is followed by smaller ones. */
  milliseconds: number;
}

export const defaultLimits: BatchLimits = { hosts: 50, milliseconds: 40 };
/** Hosts per batch however long they take: a smaller one costs as much. */
const minHosts = 25;
/** Milliseconds after which the queue's other jobs have their turn. */
const turnMs = 1000;

/** What the job stores. The position is that of the last merged host. */
export interface AggregationState extends HostPosition {
  snapshotId: string;
  stage: 'clones' | 'hosts' | 'addresses' | 'outdated';
  processed: number;
  addresses: number;
  merged: number;
  unidentified: number;
  created: NamedNodes;
  outdated: NamedNodes;
  /** The last managed node that was looked at in the stage `outdated`. */
  after: string | null;
}

export function initialState(snapshotId: string): AggregationState {
  return {
    ...{ snapshotId, stage: 'clones', ...beforeHosts },
    ...{ processed: 0, addresses: 0, merged: 0, unidentified: 0 },
    ...{ created: noNodes, outdated: noNodes, after: null },
  };
}

export interface RunContext {
  deps: QueueWorkerDeps & { nextId: NextId };
  queue: JobQueue<AggregationState>;
  job: Job<AggregationState>;
  spaceId: string;
  networkId: string;
  limits: BatchLimits;
  isClosing(): boolean;
}

/** Another process goes on with the job. */
export class LeaseLost extends OutdatedBatch {
  override readonly name = 'LeaseLost';
}

/** The snapshot or its network was removed, or the scan has ended otherwise. */
export class SnapshotGone extends OutdatedBatch {
  override readonly name = 'SnapshotGone';
}

export class AggregationRun {
  state: AggregationState;
  private readonly context: RunContext;
  private batchSize: number;

  constructor(context: RunContext) {
    this.context = context;
    this.state = { ...initialState(context.job.payload.snapshotId), ...context.job.payload };
    this.batchSize = context.limits.hosts;
  }

  /** False if the job was released before its end. */
  async run(): Promise<boolean> {
    const { deps, isClosing } = this.context;
    const end = deps.clock.now() + turnMs;
    if (this.state.stage === 'clones') await this.takeClones();
    while (this.state.stage === 'hosts') {
      if (isClosing() || deps.clock.now() >= end) return this.release();
      await this.mergeNext();
    }
    if (this.state.stage === 'addresses' && !(await this.releaseAll())) return this.release();
    while (this.state.stage === 'outdated') {
      if (isClosing()) return this.release();
      if (!(await this.markOutdated())) break;
    }
    return true;
  }

  /** The last transaction: ends the scan and the job. */
  async complete(work: (tx: Transaction, now: string) => Promise<void>): Promise<void> {
    const { deps, queue, job } = this.context;
    const { snapshotId, processed, addresses, created, merged, unidentified } = this.state;
    await deps.database.transaction(async (tx) => {
      const { now } = await this.lock(tx);
      await tx.query(
        `update snapshot set status = 'succeeded', number_of_processed_nodes = $2, number_of_addresses = $3,
           number_of_created_nodes = $4, number_of_merged_nodes = $5, number_of_unidentified_nodes = $6, updated_at = $7
         where snapshot_id = $1`,
        [snapshotId, processed, addresses, created.numberOfNodes, merged, unidentified, now],
      );
      await work(tx, now);
      if (!(await queue.settle(tx, job, null))) throw new LeaseLost();
    });
  }

  private async takeClones(): Promise<void> {
    const cloned = await findCloned(this.context.deps.database, this.state.snapshotId);
    await this.transaction(async (tx, request) => {
      await storeCloned(tx, request, cloned);
      return { stage: 'hosts' };
    });
  }

  private async mergeNext(): Promise<void> {
    const { database } = this.context.deps;
    const keys = await readHostKeys(database, this.state.snapshotId, this.state, this.batchSize);
    if (keys.length === 0) return this.transaction(async () => ({ stage: 'addresses' }));
    await runIsolatingFaults(
      keys,
      (some) =>
        this.transaction(async (tx, request) => {
          const nodeIds = some.map((one) => one.node_id);
          return this.after(some, await mergeHosts(tx, request, nodeIds));
        }),
      (key, error) => this.skipHost(key, error),
    );
  }

  /** A host that cannot be merged stays in the snapshot, marked as failed. */
  private async skipHost(key: HostKey, error: unknown): Promise<void> {
    const { log } = this.context.deps;
    const ids = { snapshotId: this.state.snapshotId, nodeId: key.node_id };
    log({ level: 'error', message: 'a host could not be merged', ...ids, ...errorFields(error) });
    const nothing = { created: [], merged: 0, unidentified: 0 };
    try {
      await this.transaction(async (tx) => {
        await tx.query(`update snapshot_node set aggregation_type = 'failed' where node_id = $1`, [
          key.node_id,
        ]);
        return this.after([key], nothing);
      });
    } catch (second) {
      if (!isRowFault(second)) throw second;
      log({ level: 'error', message: 'a host could not be marked', ...ids, ...errorFields(second) });
      await this.transaction(async () => this.after([key], nothing));
    }
  }

  private after(keys: readonly HostKey[], result: MergeResult): Partial<AggregationState> {
    const { chunk, place } = keys.at(-1)!;
    const { processed, addresses, merged, unidentified, created } = this.state;
    return {
      chunk,
      place,
      processed: processed + keys.length,
      addresses: addresses + keys.reduce((sum, one) => sum + one.number_of_addresses, 0),
      merged: merged + result.merged,
      unidentified: unidentified + result.unidentified,
      created: addNodes(created, result.created),
    };
  }

  /** False if it was interrupted; what was released is not released again. */
  private async releaseAll(): Promise<boolean> {
    const { deps, isClosing } = this.context;
    const { database } = deps;
    const sightings = await readSightings(database, this.state.snapshotId);
    for await (const ids of findFormerNodes(database, this.context, sightings)) {
      if (isClosing()) return false;
      await this.isolating(ids, async (tx, request, some) => {
        await releaseAddresses(tx, request, some, sightings);
        return {};
      });
    }
    await this.transaction(async () => ({ stage: 'outdated' }));
    return true;
  }

  /** Marks the next nodes that have become outdated; false if there are none. */
  private async markOutdated(): Promise<boolean> {
    const { deps, networkId, limits } = this.context;
    const { rows } = await deps.database.query<{ id: string }>(
      `select m.managed_node_id as id from managed_node m
       join resource r on r.space_id = m.space_id and r.kind = 'network' and r.id = m.network_id
       where m.network_id = $1 and not m.outdated_told and m.managed_node_id > $2
         and m.last_seen_at <= (select terminated_at from snapshot where snapshot_id = $3)
           - make_interval(hours => 24 * (r.body->'configuration'->>'outdatedDays')::int)
       order by m.managed_node_id limit $4`,
      [networkId, this.state.after ?? zeroId, this.state.snapshotId, limits.hosts],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return false;
    await this.isolating(ids, async (tx, _request, some) => {
      const { rows: outdated } = await tx.query<NamedNode>(
        `update managed_node set outdated_told = true where managed_node_id = any($1::uuid[])
         returning managed_node_id as "managedNodeId", display_name as "displayName"`,
        [some],
      );
      return { after: some.at(-1)!, outdated: addNodes(this.state.outdated, outdated) };
    });
    this.state = { ...this.state, after: ids.at(-1)! };
    return true;
  }

  /** Changes managed nodes; one whose change the database rejects stays as it is. */
  private async isolating(
    ids: readonly string[],
    work: (
      tx: Transaction,
      request: MergeRequest,
      some: readonly string[],
    ) => Promise<Partial<AggregationState>>,
  ): Promise<void> {
    const { limits, deps } = this.context;
    for (let at = 0; at < ids.length; at += limits.hosts)
      await runIsolatingFaults(
        ids.slice(at, at + limits.hosts),
        (some) => this.transaction((tx, request) => work(tx, request, some)),
        async (managedNodeId, error) =>
          deps.log({
            level: 'error',
            message: 'a node could not be updated after a scan',
            managedNodeId,
            ...errorFields(error),
          }),
      );
  }

  /** Runs one step and stores the state that it returns. */
  private async transaction(
    work: (tx: Transaction, request: MergeRequest) => Promise<Partial<AggregationState>>,
  ): Promise<void> {
    const { deps, queue, job, limits } = this.context;
    const { clock, database } = deps;
    let next = this.state;
    let took = 0;
    await database.transaction(async (tx) => {
      const begun = clock.now();
      const request = await this.lock(tx);
      next = { ...this.state, ...(await work(tx, request)) };
      if (next.processed !== this.state.processed)
        await tx.query(
          'update snapshot set number_of_processed_nodes = $2, updated_at = $3 where snapshot_id = $1',
          [next.snapshotId, next.processed, request.now],
        );
      if (!(await queue.advance(tx, job, next))) throw new LeaseLost();
      took = clock.now() - begun;
    });
    this.state = next;
    if (took > limits.milliseconds)
      this.batchSize = Math.max(Math.min(minHosts, limits.hosts), this.batchSize >> 1);
    else if (took < limits.milliseconds / 2)
      this.batchSize = Math.min(limits.hosts, this.batchSize + minHosts);
    // Other work of the process has its turn.
    await setImmediate();
  }

  /** No user decides about nodes of the network meanwhile. */
  private async lock(tx: Transaction): Promise<MergeRequest> {
    const { deps, spaceId, networkId } = this.context;
    const { snapshotId } = this.state;
    const { rows } = await tx.query<{ seen_at: string }>(
      `select s.terminated_at as seen_at from resource r join snapshot s on s.network_id = r.id
       where r.space_id = $1 and r.kind = 'network' and r.id = $2 and s.snapshot_id = $3 and s.status = 'processing'
       for update of r, s`,
      [spaceId, networkId, snapshotId],
    );
    if (!rows[0]) throw new SnapshotGone();
    const now = isoTime(deps.clock.now());
    return { spaceId, networkId, snapshotId, seenAt: rows[0].seen_at, now, nextId: deps.nextId };
  }

  private async release(): Promise<false> {
    const { deps, queue, job } = this.context;
    await queue.advance(deps.database, job, this.state, { release: true });
    return false;
  }
}

const zeroId = '00000000-0000-0000-0000-000000000000';
