// The thread that records terminals: encodes, encrypts, hashes and stores what it is sent.
import { on } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../log.ts';
import { LogSpool } from './log-spool.ts';
import { Recorder } from './recorder.ts';
import type { RecordingReport, RecordingRequest, RecordingThreadData } from './recording-messages.ts';
import { loadSigningKey } from './signing-key.ts';
import { TextLog } from './text-log.ts';
import { VideoLog } from './video-log.ts';

// Linux gives each thread its own priority (setpriority(2)): sessions are served first. Elsewhere it is the process's.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

const port = parentPort!;
const { stateFolder } = workerData as RecordingThreadData;
const spool = new LogSpool(stateFolder);
const signingKey = await loadSigningKey(stateFolder);
const recorders = new Map<number, Recorder>();
const report = (message: RecordingReport) => port.postMessage(message);

/**
 * Messages that wait arrive one directly after the other; what was written to the disk in the meantime would be noticed
 * after the last of them only.
 */
async function work(): Promise<void> {
  for await (const [request] of on(port, 'message') as AsyncIterable<[RecordingRequest]>) {
    if (request.kind === 'begin') begin(request);
    else if (request.kind === 'events') record(request);
    else void end(request);
    await setImmediate();
  }
}
void work();

function begin({ recording, order, size, flushMs }: Extract<RecordingRequest, { kind: 'begin' }>): void {
  const logs = { text: new TextLog(size.columns), video: new VideoLog() };
  const recorder = new Recorder(order, logs, size, {
    ...{ spool, signingKey, now: Date.now, flushMs },
    // Chunks that were reported are counted by the other side.
    onProgress: (part) =>
      report({ kind: 'part', recording, part: { ...part, chunks: part.chunks.splice(0) } }),
    onEnd: ({ end: signed }) => report({ kind: 'log-end', recording, end: signed }),
    onFailed: (error) => report({ kind: 'failed', recording, reason: reasonOf(error) }),
    onBehind: (isBehind) => report({ kind: 'behind', recording, isBehind }),
  });
  recorders.set(recording, recorder);
  recorder.ready().then(
    () => report({ kind: 'ready', recording }),
    // Reported as its failure.
    () => undefined,
  );
}

function record({ recording, output, events }: Extract<RecordingRequest, { kind: 'events' }>): void {
  const recorder = recorders.get(recording)!;
  let from = 0;
  for (const event of events) {
    if (event.kind === 'output') {
      recorder.output(output.subarray(from, event.end), event.at);
      from = event.end;
    } else if (event.kind === 'resize') recorder.resize(event.size, event.at);
    else recorder.typed(event.displayName, event.at);
  }
  report({ kind: 'encoded', recording, bytes: output.length });
}

async function end({ recording, reason }: Extract<RecordingRequest, { kind: 'end' }>): Promise<void> {
  await recorders.get(recording)!.end(reason);
  recorders.delete(recording);
  report({ kind: 'ended', recording });
}
