// Application side of the receiver thread: starts it, calls it, and gets its write notifications.
import { Worker } from 'node:worker_threads';
import type { Refusal } from '../alerthub/slots/refusal.ts';
import type { SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import type { Log } from '../common/log.ts';
import type { JournalIds } from '../journal/journal.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { JournalStart, JournalWriter } from './intake-journal-writer.ts';
import type { RefusalLogDeps } from './refusal-log.ts';
import type { SmtpServerOptions } from './smtp-server.ts';
import {
  sharedCounters,
  sharedCountersSize,
  type ThreadMessage,
  type ThreadSettings,
  type WorkerRequest,
  type WorkerRequestName,
  type WorkerRequests,
} from './thread-messages.ts';

/** Heap limit of the thread in MB; bodies are outside the heap and have a limit of their own. */
const heapMegabytes = 512;
/**
 * Size of V8's young generation in MB. Almost all objects are garbage after a response: with more room, fewer collections
 * find the messages of the current batch still in use.
 */
const youngGenerationMegabytes = 96;

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Minimum milliseconds over which the load is averaged. */
const loadWindowMs = 100;

export class ReceiverThread implements JournalWriter {
  /** Rejects if the thread exits without having been closed. */
  readonly ended: Promise<never>;
  private readonly worker: Worker;
  private readonly log: Log;
  private readonly onRefused: (refusals: Refusal[]) => void;
  private readonly sequence: BigInt64Array;
  private readonly bytes: BigInt64Array;
  private readonly notified: Int32Array;
  private readonly pendingCalls = new Map<number, PendingCall>();
  private lastCallNumber = 0;
  private notifyListener: () => Promise<void> | undefined = () => undefined;
  private failure: Error | undefined;
  private isClosed = false;
  private utilization: ReturnType<Worker['performance']['eventLoopUtilization']> | undefined;
  private lastLoad = 0;
  private loadReadAt = Number.NEGATIVE_INFINITY;

  constructor(
    settings: Omit<ThreadSettings, 'shared'>,
    { log, onRefused }: Pick<RefusalLogDeps, 'log' | 'onRefused'>,
  ) {
    const shared = new SharedArrayBuffer(sharedCountersSize);
    ({ sequence: this.sequence, bytes: this.bytes, notified: this.notified } = sharedCounters(shared));
    this.log = log;
    this.onRefused = onRefused;
    this.worker = new Worker(new URL('./receiver-worker.mjs', import.meta.url), {
      workerData: { ...settings, shared } satisfies ThreadSettings,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
    });
    this.worker.on('message', (message: ThreadMessage) => this.handleMessage(message));
    this.ended = new Promise<never>((_resolve, reject) => {
      this.worker.on('error', (error) => {
        this.failure = error;
      });
      this.worker.on('exit', () => {
        const error = new Error(
          `the receiver's thread has ended: ${this.failure?.message ?? 'no reason given'}`,
        );
        for (const { reject: fail } of this.pendingCalls.values()) fail(error);
        this.pendingCalls.clear();
        if (!this.isClosed) reject(error);
        this.isClosed = true;
      });
    });
    this.ended.catch(() => undefined);
  }

  claim(): Promise<JournalIds> {
    return this.call('claim');
  }

  open(start: JournalStart): Promise<number> {
    return this.call('open', start);
  }

  lastWritten(): number {
    return Number(Atomics.load(this.sequence, 0));
  }

  writtenBytes(): number {
    return Number(Atomics.load(this.bytes, 0));
  }

  onWritten(listener: () => Promise<void> | undefined): void {
    this.notifyListener = listener;
  }

  release(upTo: number, all: boolean): Promise<void> {
    return this.call('release', upTo, all);
  }

  setAside(sequence: number, bytes: Buffer): Promise<string> {
    return this.call('setAside', sequence, bytes);
  }

  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.call('keepDamaged', names);
  }

  unavailableReason(): Promise<string | null> {
    return this.call('reason');
  }

  load(): number {
    const now = performance.now();
    if (now - this.loadReadAt < loadWindowMs) return this.lastLoad;
    this.loadReadAt = now;
    const before = this.utilization;
    this.utilization = this.worker.performance.eventLoopUtilization();
    this.lastLoad = this.worker.performance.eventLoopUtilization(this.utilization, before).utilization;
    return this.lastLoad;
  }

  drained(): Promise<void> {
    return this.call('drained');
  }

  updateSlots(update: SlotUpdate): Promise<void> {
    return this.call('updateSlots', update);
  }

  serve(spaces: readonly HostedSpace[]): Promise<void> {
    return this.call('serve', spaces);
  }

  listen(at: { host: string; port: number }): Promise<void> {
    return this.call('listen', at);
  }

  listenForMails(options: SmtpServerOptions): Promise<number> {
    return this.call('listenForMails', options);
  }

  stopListening(): Promise<void> {
    return this.call('stopListening');
  }

  /** Ends the thread once everything it holds is written. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      await this.call('close');
    } finally {
      await this.worker.terminate();
    }
  }

  private call<Name extends WorkerRequestName>(
    name: Name,
    ...args: Parameters<WorkerRequests[Name]>
  ): ReturnType<WorkerRequests[Name]> {
    const number = ++this.lastCallNumber;
    const answer = new Promise((resolve, reject) => {
      if (this.failure) reject(this.failure);
      this.pendingCalls.set(number, { resolve, reject });
      this.worker.postMessage({ number, name, args } satisfies WorkerRequest);
    });
    return answer as ReturnType<WorkerRequests[Name]>;
  }

  /** Calls the listener until it has seen everything; the thread sends no further notifications meanwhile. */
  private async notify(): Promise<void> {
    let seen: number;
    do {
      seen = this.lastWritten();
      await this.notifyListener();
      Atomics.store(this.notified, 0, 0);
    } while (this.lastWritten() > seen);
  }

  private handleMessage(message: ThreadMessage): void {
    if (message.kind === 'log') this.log(message.line);
    else if (message.kind === 'refused') this.onRefused(message.refusals);
    else if (message.kind === 'written') void this.notify();
    else {
      const pending = this.pendingCalls.get(message.number);
      this.pendingCalls.delete(message.number);
      if ('error' in message) pending?.reject(message.error);
      else pending?.resolve(message.value);
    }
  }
}
