// Reads the snapshots that record scans.
import type { AgentProtocol, ScanOrderSettings, ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import type { Queryable, Transaction } from '../db/database.ts';

export interface Scan {
  snapshotId: string;
  spaceId: string;
  networkId: string;
  status: string;
  taskId: string | null;
}

/** A scan to notify of; one that could not start has no snapshot. */
export type NotifiedScan = Omit<Scan, 'snapshotId'> & { snapshotId: string | null };

export interface SnapshotRow {
  snapshot_id: string;
  space_id: string;
  network_id: string;
  ksocket_slot_id: string;
  task_id: string | null;
  status: string;
  settings: ScanOrderSettings;
}

/** The columns of a SnapshotRow. */
export const snapshotColumns =
  'snapshot_id, space_id, network_id, ksocket_slot_id, task_id, status, settings';

export async function findSnapshot(db: Queryable, snapshotId: string): Promise<SnapshotRow | undefined> {
  return (
    await db.query<SnapshotRow>(`select ${snapshotColumns} from snapshot where snapshot_id = $1`, [
      snapshotId,
    ])
  ).rows[0];
}

/** Statuses in which the agent works on the scan. */
export const runningStatuses: readonly string[] = ['requested', 'started'];

export function isRunning({ status }: { status: string }): boolean {
  return runningStatuses.includes(status);
}

/** Whether a scan has no result yet: its agent works on it, or the server merges its hosts. */
export function isOpen({ status }: { status: string }): boolean {
  return isRunning({ status }) || status === 'processing';
}

/** The scan of a snapshot, with the status that it has now. */
export function scanOf(row: SnapshotRow, status: string): Scan {
  return {
    snapshotId: row.snapshot_id,
    spaceId: row.space_id,
    networkId: row.network_id,
    status,
    taskId: row.task_id,
  };
}

/** The order to run a scan; agents of version 1 know no pace. */
export function scanOrder(row: SnapshotRow, protocol: AgentProtocol): ServerMessage {
  const { pace: _pace, ...settings } = row.settings;
  return { type: 'scan', snapshotId: row.snapshot_id, settings: protocol === 1 ? settings : row.settings };
}

/** Whether the hosts of a task's scan have all arrived and are being merged; it can no longer be aborted. */
export async function isProcessing(tx: Transaction, taskId: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from snapshot where task_id = $1 and status = 'processing' for update`,
    [taskId],
  );
  return rows.length > 0;
}

/**
 * Running scans of which nothing was heard since a time, and those whose slot is deleted. A paused scan is silent while its
 * agent is connected.
 */
export async function findLostScans(
  db: Queryable,
  since: string,
): Promise<{ snapshotId: string; hasSlot: boolean }[]> {
  const { rows } = await db.query<{ snapshotId: string; hasSlot: boolean }>(
    `select s.snapshot_id as "snapshotId", s.has_slot as "hasSlot" from (
       select running.*, exists (select 1 from resource r
         where r.space_id = running.space_id and r.kind = 'ksocket-slot' and r.id = running.ksocket_slot_id) as has_slot
       from snapshot running where status in ('requested', 'started')
     ) s where not s.has_slot or s.heard_at < $1
       and not (s.paused and exists (select 1 from ksocket_connection c
         where c.ksocket_slot_id = s.ksocket_slot_id and c.seen_at >= $1))`,
    [since],
  );
  return rows;
}
