// Runs the task `sonar scan`: starts when an agent is available, completes when its snapshot has ended.
import { scanFailureReason } from '@yagura/core/inventory/scan-failure';
import type { Clock } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import { translatable } from '../common/translatable-text.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { type RunningTask, TaskFailed, TaskRejected, type TaskRunner } from '../jobs/task-runner.ts';
import { ScanRefused } from './check-scan-request.ts';
import { isOpen, isProcessing } from './scan-snapshot.ts';
import type { Scans } from './scans.ts';

/**
 * Poll interval in milliseconds, in addition to the end event, since another replica may have ended the scan.
 */
const pollIntervalMs = 2000;

export function scanTask({
  database,
  clock,
  log,
  scans,
}: {
  database: Database;
  clock: Clock;
  log: Log;
  scans: Scans;
}): TaskRunner {
  return {
    resumable: true,
    async accept(tx, { taskId, spaceId, params }) {
      const { networkId } = params;
      if (typeof networkId !== 'string' || !isUuid(networkId))
        throw new TaskRejected(translatable('sonar.scan.no-network'));
      try {
        return { snapshotId: await scans.requestIn(tx, spaceId, networkId, taskId) };
      } catch (error) {
        if (error instanceof ScanRefused) throw new TaskRejected({ word: error.word, params: error.params });
        throw error;
      }
    },
    async onScheduleRejected(tx, { taskId, spaceId, params }, reason) {
      const { networkId } = params;
      if (typeof networkId !== 'string' || !isUuid(networkId)) return;
      await scans.notifyRejectedIn(tx, spaceId, networkId, taskId, reason);
    },
    async run(task) {
      const ended = await endOf(task);
      if (ended.status === 'succeeded') return { snapshotId: ended.snapshot_id };
      if (task.signal.aborted) throw new Error('aborted');
      throw new TaskFailed(
        ended.status === 'aborted'
          ? translatable('sonar.scan.aborted')
          : scanFailureReason(ended.reason ?? ''),
      );
    },
    async canAbort(tx, { taskId }) {
      return !(await isProcessing(tx, taskId));
    },
    async onEnded(tx, { taskId }, end) {
      if (end === 'aborted') await scans.abortIn(tx, taskId);
    },
  };

  /** Waits for the task's snapshot to end; a requested stop is first forwarded to the agent. */
  function endOf(task: RunningTask): Promise<SnapshotRow> {
    return new Promise((resolve, reject) => {
      const stops: (() => void)[] = [];
      const settle = (work: () => void) => {
        for (const stop of stops.splice(0)) stop();
        work();
      };
      const poll = async () => {
        const { rows } = await database.query<SnapshotRow>(
          'select snapshot_id, status, reason, probed, to_probe from snapshot where task_id = $1',
          [task.taskId],
        );
        const row = rows[0];
        if (!row) return settle(() => reject(new TaskFailed(translatable('refusal.snapshot-removed'))));
        if (!isOpen(row)) return settle(() => resolve(row));
        if (row.to_probe > 0) task.progress((row.probed / row.to_probe) * 100);
      };
      const polling = new PeriodicJob({
        ...{ clock, log },
        intervalMs: pollIntervalMs,
        failureMessage: 'the end of a scan was not looked for',
        work: poll,
      });
      const aborted = () => settle(() => reject(new Error('aborted')));
      stops.push(
        () => void polling.close(),
        scans.onEnd((scan) => {
          if (scan.taskId === task.taskId) void polling.runNow();
        }),
        () => task.signal.removeEventListener('abort', aborted),
      );
      task.signal.addEventListener('abort', aborted, { once: true });
      if (task.signal.aborted) return aborted();
      polling.start();
      void polling.runNow();
    });
  }
}

interface SnapshotRow {
  snapshot_id: string;
  status: string;
  reason: string | null;
  probed: number;
  to_probe: number;
}
