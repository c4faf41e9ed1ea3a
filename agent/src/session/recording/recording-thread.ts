// The thread in which terminals are recorded, seen from the gateway: encoding, encrypting and storing the logs of a flood
// takes more time than showing it, and would hold up all sessions.
import { Worker } from 'node:worker_threads';
import type { TerminalSize } from '../target.ts';
import type { Spooled } from './log-spool.ts';
import type { RecordingOrder, SessionRecorder } from './recorder.ts';
import type { RecordingReport, RecordingRequest, RecordingThreadData } from './recording-messages.ts';
import { type RecordingBacklog, type RecordingEvents, TerminalRecording } from './terminal-recording.ts';

export interface RecordingThreadDeps {
  stateFolder: string;
  now(): number;
  /** See `RecorderDeps`. */
  flushMs: number;
  /** There is something to upload. */
  onSpooled(spooled: Spooled): void;
}

export class RecordingThread {
  private readonly deps: RecordingThreadDeps;
  private worker: Worker | undefined;
  private readonly recordings = new Map<number, TerminalRecording>();
  private readonly backlog: RecordingBacklog = { bytes: 0 };
  private count = 0;

  constructor(deps: RecordingThreadDeps) {
    this.deps = deps;
  }

  /** The logs begin at once. */
  record(order: RecordingOrder, size: TerminalSize, events: RecordingEvents): SessionRecorder {
    const { now, flushMs, onSpooled } = this.deps;
    this.worker ??= this.start();
    const { worker, backlog } = this;
    const number = ++this.count;
    const post = (request: RecordingRequest, transfer: ArrayBuffer[] = []) =>
      worker.postMessage(request, transfer);
    const recording = new TerminalRecording(number, { now, onSpooled, post, backlog, ...events });
    this.recordings.set(number, recording);
    post({ kind: 'begin', recording: number, order, size, flushMs });
    return recording;
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private start(): Worker {
    const workerData: RecordingThreadData = { stateFolder: this.deps.stateFolder };
    const worker = new Worker(new URL('./recording-worker.mjs', import.meta.url), { workerData });
    let reason = 'THREAD_ENDED';
    worker.on('message', (report: RecordingReport) => {
      this.recordings.get(report.recording)?.take(report);
      if (report.kind === 'ended') this.recordings.delete(report.recording);
    });
    worker.on('error', (error) => {
      reason = error.message;
    });
    // What begins later is recorded by another one.
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
      const lost = [...this.recordings.values()];
      this.recordings.clear();
      for (const recording of lost) recording.lose(reason);
    });
    return worker;
  }
}
