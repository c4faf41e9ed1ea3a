// `scan`: starts a network scan; with --wait, reports its progress until it ends.

import { Problem } from '@yagura/core/http/problem';
import { dataKey } from '@yagura/core/i18n/message-key';
import { isFinalSnapshotStatus } from '@yagura/core/sonar/snapshot';
import { registerTask } from '@yagura/core/tasks/task-calls';
import type { DataOptions } from '../command-line/data-options.ts';
import { isCtrlC } from '../command-line/interruption.ts';
import { isYes, promptLine } from '../command-line/prompt.ts';
import { CommandError, StillRunningError } from '../command-line/report-error.ts';
import { ServerOutage } from '../live/server-outage.ts';
import { watchForChanges } from '../live/watch-for-changes.ts';
import { parseInteger } from '../resource/list.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { detailColumns } from '../resource/show.ts';
import { openSession, type Session } from '../signin/session.ts';
import { Progress } from '../terminal/progress.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { scanProgress, scanProgressText } from './scan-progress.ts';
import { scanSummary } from './scan-summary.ts';

export interface ScanOptions extends DataOptions {
  wait?: boolean;
  timeout?: string;
}

/** Poll interval in milliseconds when live changes are not available. */
const pollIntervalMs = 1000;

interface RunningScan {
  networkId: string;
  snapshotId: string;
  taskId: string | undefined;
}

export async function scan(terminal: Terminal, network: string, options: ScanOptions): Promise<void> {
  const meta = resourceNamed('snapshot');
  const format = parseOutputFormat(options, Object.keys(meta.fields));
  const timeout = parseInteger(options.timeout, '--timeout', 1, 86_400);
  const session = openSession(terminal);
  const networkId = await resolveId(
    resourceNamed('network'),
    network,
    session.transport,
    {},
    terminal.signal,
  );
  const runningScan = await beginScan(terminal, session, networkId);
  printMessage(terminal, terminal.t('cli.scan.begun', { id: runningScan.snapshotId }));
  if (!options.wait && !format) {
    terminal.out.write(`${runningScan.snapshotId}\n`);
    return;
  }
  const snapshot = options.wait
    ? await waitForScan(terminal, session, runningScan, timeout)
    : await fetchSnapshot(session, runningScan, terminal.signal);
  const shape = { fields: meta.fields, columns: detailColumns(meta), id: meta.id };
  await writeItem(terminal, snapshot, shape, format, session.transport);
  if (options.wait)
    for (const line of await scanSummary(terminal, session, snapshot)) printMessage(terminal, line);
  if (options.wait && snapshot.status !== 'succeeded') {
    const reason = snapshot.reason ?? terminal.t(dataKey(`value.${String(snapshot.status)}`));
    throw new CommandError('cli.scan.unsuccessful', { reason });
  }
}

/** A scan is a task; a rejected task is a failure although the request succeeded. */
async function beginScan(
  terminal: Terminal,
  { transport }: Session,
  networkId: string,
): Promise<RunningScan> {
  const request = { namespace: 'sonar', method: 'scan', params: { networkId } };
  const task = await registerTask(transport, request, terminal.signal);
  if (!task.snapshotId) throw new Problem('rejected');
  return { networkId, snapshotId: task.snapshotId, taskId: task.taskId };
}

/**
 * Reports progress until the scan ends. An interruption stops the scan, after confirmation in an interactive terminal; if that
 * is gone, the scan continues.
 */
async function waitForScan(
  terminal: Terminal,
  session: Session,
  scan: RunningScan,
  timeout: number | undefined,
): Promise<Row> {
  const progress = new Progress(terminal);
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : terminal.now() + timeout * 1000;
  const outage = new ServerOutage(terminal.now);
  let { signal } = terminal;
  try {
    for (;;) {
      const showOutage = ({ kind }: Problem) => progress.show(terminal.t(`problem.${kind}`), 0, 0);
      const shown = outage.unlessAway(fetchSnapshot(session, scan, signal), showOutage);
      const snapshot = await shown.catch((error) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (snapshot) {
        progress.show(scanProgressText(terminal.t, snapshot), ...scanProgress(snapshot));
        if (isFinalSnapshotStatus(String(snapshot.status))) return snapshot;
      }
      if (terminal.now() >= deadline) throw new StillRunningError('cli.scan.still');
      if (!signal.aborted) await waitForChange(session, signal, scan.snapshotId);
      if (!signal.aborted) continue;
      progress.end();
      if (signal !== terminal.signal || !(await confirmStop(terminal)))
        throw new StillRunningError('cli.scan.still');
      signal = new AbortController().signal;
      await stopScan(session, scan, signal);
      printMessage(terminal, terminal.t('cli.scan.stopping'));
    }
  } finally {
    progress.end();
  }
}

/** A scan that has already ended cannot be stopped (409). */
async function stopScan({ transport }: Session, { taskId }: RunningScan, signal: AbortSignal): Promise<void> {
  try {
    await resourceClient(resourceNamed('task'), transport).call('abort', { id: taskId, signal });
  } catch (error) {
    if (!(error instanceof Problem) || !['conflict', 'not-possible'].includes(error.kind)) throw error;
  }
}

/** The first interrupt has already aborted the terminal's signal; a second one ends the command. */
async function confirmStop(terminal: Terminal): Promise<boolean> {
  if (!terminal.canPrompt) return true;
  if (!isCtrlC(terminal.signal)) return false;
  const uninterrupted = { ...terminal, signal: new AbortController().signal };
  return isYes(
    await promptLine(uninterrupted, `${terminal.t('cli.scan.ask')} ${terminal.t('cli.ask.yes-no')} `),
  );
}

async function waitForChange(session: Session, signal: AbortSignal, snapshotId: string): Promise<void> {
  const isRelevant = ({ resource, id }: { resource: string; id: string }) =>
    resource === 'snapshot' && id === snapshotId;
  for await (const _ of watchForChanges(session, pollIntervalMs, signal, isRelevant)) return;
}

function fetchSnapshot(
  session: Session,
  { networkId, snapshotId }: RunningScan,
  signal: AbortSignal,
): Promise<Row> {
  return resourceClient(resourceNamed('snapshot'), session.transport).show(snapshotId, { networkId }, signal);
}
