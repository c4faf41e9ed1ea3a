// `scan`: starts a scan of a network, and with --wait tells how far it is until it is over.
import { Problem } from '@yagura/core/http/problem';
import { registerTask } from '@yagura/core/work/task';
import { timesToLook } from '../live/changes.ts';
import { dataForm } from '../resource/data-form.ts';
import type { Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { wholeNumber } from '../resource/list.ts';
import { writeItem } from '../resource/output.ts';
import { resolveId } from '../resource/resolve.ts';
import { sheetColumns } from '../resource/show.ts';
import { openSession, type Session } from '../signin/session.ts';
import { askLine, isYes } from '../term/ask.ts';
import { cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { StillRunning } from '../term/failure.ts';
import { Progress } from '../term/progress.ts';
import { say, type Terminal } from '../term/terminal.ts';

export interface ScanOptions extends DataOptions {
  wait?: boolean;
  timeout?: string;
}

/** Milliseconds between two looks where changes are not told. */
const pollIntervalMs = 1000;

interface Scan {
  networkId: string;
  snapshotId: string;
  taskId: string | undefined;
}

export async function scan(terminal: Terminal, network: string, options: ScanOptions): Promise<void> {
  const meta = entryNamed('snapshot');
  const form = dataForm(options, Object.keys(meta.fields));
  const timeout = wholeNumber(options.timeout, '--timeout', 1, 86_400);
  const session = openSession(terminal);
  const networkId = await resolveId(entryNamed('network'), network, session.transport, {}, terminal.signal);
  const begun = await begin(terminal, session, networkId);
  say(terminal, terminal.t('cli.scan.begun', { id: begun.snapshotId }));
  if (!options.wait && !form) {
    terminal.out.write(`${begun.snapshotId}\n`);
    return;
  }
  const snapshot = options.wait
    ? await follow(terminal, session, begun, timeout)
    : await shown(session, begun, terminal.signal);
  const shape = { fields: meta.fields, columns: sheetColumns(meta), id: meta.id };
  await writeItem(terminal, snapshot, shape, form, session.transport);
  if (options.wait && snapshot.status !== 'succeeded') {
    const word = terminal.t(`value.${String(snapshot.status)}`);
    throw new Problem('rejected', { title: word, detail: String(snapshot.reason ?? word) });
  }
}

/** A scan is a task; one that is rejected is a failure although the call went well. */
async function begin(terminal: Terminal, { transport }: Session, networkId: string): Promise<Scan> {
  const wanted = { namespace: 'sonar', method: 'scan', params: { networkId } };
  const task = await registerTask(transport, wanted, terminal.signal);
  if (!task.snapshotId) throw new Problem('rejected');
  return { networkId, snapshotId: task.snapshotId, taskId: task.taskId };
}

/** Tells the progress until the scan is over. Ctrl-C stops the scan; a person is asked first. */
async function follow(
  terminal: Terminal,
  session: Session,
  scan: Scan,
  timeout: number | undefined,
): Promise<Row> {
  const progress = new Progress(terminal);
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : terminal.now() + timeout * 1000;
  let { signal } = terminal;
  try {
    for (;;) {
      const snapshot = await shown(session, scan, signal).catch((error) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (snapshot) {
        progress.show(progressText(terminal, snapshot), Number(snapshot.probed), Number(snapshot.toProbe));
        if (!['requested', 'started'].includes(String(snapshot.status))) return snapshot;
        if (terminal.now() >= end) throw new StillRunning('cli.scan.still');
      }
      if (!signal.aborted) await nextLook(session, signal, scan.snapshotId);
      if (!signal.aborted) continue;
      progress.end();
      if (signal !== terminal.signal || !(await wantsStop(terminal)))
        throw new StillRunning('cli.scan.still');
      signal = new AbortController().signal;
      await stop(session, scan, signal);
      say(terminal, terminal.t('cli.scan.stopping'));
    }
  } finally {
    progress.end();
  }
}

function progressText({ t }: Terminal, snapshot: Row): string {
  const probed = `${String(snapshot.probed)}/${String(snapshot.toProbe)}`;
  const nodes = t('cli.scan.nodes', { count: snapshot.numberOfNodes });
  return cleanLine(`${t(`value.${String(snapshot.status)}`)}  ${probed}  ${nodes}`);
}

/** A scan that ended in the meantime needs no stop (409). */
async function stop({ transport }: Session, { taskId }: Scan, signal: AbortSignal): Promise<void> {
  try {
    await entryClient(entryNamed('task'), transport).call('abort', { id: taskId, signal });
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error;
  }
}

/** The interrupt that asks has ended the terminal's own signal; a second one ends the command. */
async function wantsStop(terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk) return true;
  const calm = { ...terminal, signal: new AbortController().signal };
  return isYes(await askLine(calm, `${terminal.t('cli.scan.ask')} ${terminal.t('cli.ask.yes-no')} `));
}

async function nextLook(session: Session, signal: AbortSignal, snapshotId: string): Promise<void> {
  const concerns = ({ resource, id }: { resource: string; id: string }) =>
    resource === 'snapshot' && id === snapshotId;
  for await (const _ of timesToLook(session, pollIntervalMs, signal, concerns)) return;
}

function shown(session: Session, { networkId, snapshotId }: Scan, signal: AbortSignal): Promise<Row> {
  return entryClient(entryNamed('snapshot'), session.transport).show(snapshotId, { networkId }, signal);
}
