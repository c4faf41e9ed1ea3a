// The durable queue of snapshots whose packages and search values are written.
import { errorFields } from '../../common/log.ts';
import { QueueWorker, type QueueWorkerDeps } from '../../jobs/queue-worker.ts';
import { indexSnapshot } from '../search-index.ts';

/** Maximum snapshots indexed at a time. */
const maxIndexed = 2;

export type SnapshotIndexer = QueueWorker<{ snapshotId: string }>;

export function createSnapshotIndexer(deps: QueueWorkerDeps): SnapshotIndexer {
  const { database, log } = deps;
  const indexer: SnapshotIndexer = new QueueWorker(deps, {
    queue: 'sonar-index',
    maxConcurrent: maxIndexed,
    failureMessage: 'a snapshot could not be indexed, will be tried again',
    work: async (job) => {
      const faults: unknown[] = [];
      await indexSnapshot(database, job.payload.snapshotId, (managedNodeId, error) => {
        log({ level: 'error', message: 'a node could not be indexed', managedNodeId, ...errorFields(error) });
        faults.push(error);
      });
      // Retried: the node may have been corrected, and the others are up to date.
      if (faults.length > 0) throw faults[0];
      await indexer.queue.settle(database, job, null);
    },
  });
  return indexer;
}
