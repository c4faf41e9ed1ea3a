// The application's side of the receiver's thread: starts it, asks it, and hears what it has written.
import { Worker } from 'node:worker_threads';
import type { MailServerOptions } from '../alerthub/mail/mail-server.ts';
import type { SlotUpdate } from '../alerthub/slot-directory.ts';
import type { Log } from '../log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { GateBeginning, JournalGate } from './intake-gate.ts';
import {
  type Call,
  type CallName,
  type FromThread,
  sharedNumbers,
  sharedSize,
  type ThreadCalls,
  type ThreadSettings,
} from './thread-messages.ts';

/** Memory of the thread but that of bodies, which has a bound of its own. */
const heapMegabytes = 512;

interface Asked {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class ReceiverThread implements JournalGate {
  /** Rejects when the thread ends without having been closed. */
  readonly ended: Promise<never>;
  private readonly worker: Worker;
  private readonly log: Log;
  private readonly place: BigInt64Array;
  private readonly bytes: BigInt64Array;
  private readonly told: Int32Array;
  private readonly asked = new Map<number, Asked>();
  private number = 0;
  private tell: () => void = () => undefined;
  private failure: Error | undefined;
  private isClosed = false;
  private utilization: ReturnType<Worker['performance']['eventLoopUtilization']> | undefined;

  constructor(settings: Omit<ThreadSettings, 'shared'>, log: Log) {
    const shared = new SharedArrayBuffer(sharedSize);
    ({ place: this.place, bytes: this.bytes, told: this.told } = sharedNumbers(shared));
    this.log = log;
    this.worker = new Worker(new URL('./receiver-worker.mjs', import.meta.url), {
      workerData: { ...settings, shared } satisfies ThreadSettings,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    this.worker.on('message', (message: FromThread) => this.hear(message));
    this.ended = new Promise<never>((_resolve, reject) => {
      this.worker.on('error', (error) => {
        this.failure = error;
      });
      this.worker.on('exit', () => {
        const error = new Error(
          `the receiver's thread has ended: ${this.failure?.message ?? 'no reason given'}`,
        );
        for (const { reject: fail } of this.asked.values()) fail(error);
        this.asked.clear();
        if (!this.isClosed) reject(error);
        this.isClosed = true;
      });
    });
    this.ended.catch(() => undefined);
  }

  open(beginning: GateBeginning): Promise<number> {
    return this.ask('open', beginning);
  }

  written(): number {
    return Number(Atomics.load(this.place, 0));
  }

  writtenBytes(): number {
    return Number(Atomics.load(this.bytes, 0));
  }

  onWritten(listener: () => void): void {
    this.tell = listener;
  }

  release(upTo: number, all: boolean): Promise<void> {
    return this.ask('release', upTo, all);
  }

  setAside(place: number, bytes: Buffer): Promise<string> {
    return this.ask('setAside', place, bytes);
  }

  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.ask('keepDamaged', names);
  }

  reason(): Promise<string | null> {
    return this.ask('reason');
  }

  load(): number {
    const before = this.utilization;
    this.utilization = this.worker.performance.eventLoopUtilization();
    return this.worker.performance.eventLoopUtilization(this.utilization, before).utilization;
  }

  drained(): Promise<void> {
    return this.ask('drained');
  }

  updateSlots(update: SlotUpdate): Promise<void> {
    return this.ask('updateSlots', update);
  }

  serve(spaces: readonly HostedSpace[]): Promise<void> {
    return this.ask('serve', spaces);
  }

  listen(at: { host: string; port: number }): Promise<void> {
    return this.ask('listen', at);
  }

  listenForMails(options: MailServerOptions): Promise<number> {
    return this.ask('listenForMails', options);
  }

  stopListening(): Promise<void> {
    return this.ask('stopListening');
  }

  /** Ends the thread once what it holds is written. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      await this.ask('close');
    } finally {
      await this.worker.terminate();
    }
  }

  private ask<Name extends CallName>(
    name: Name,
    ...args: Parameters<ThreadCalls[Name]>
  ): ReturnType<ThreadCalls[Name]> {
    const number = ++this.number;
    const answer = new Promise((resolve, reject) => {
      if (this.failure) reject(this.failure);
      this.asked.set(number, { resolve, reject });
      this.worker.postMessage({ number, name, args } satisfies Call);
    });
    return answer as ReturnType<ThreadCalls[Name]>;
  }

  private hear(message: FromThread): void {
    if (message.kind === 'log') this.log(message.line);
    else if (message.kind === 'written') {
      Atomics.store(this.told, 0, 0);
      this.tell();
    } else {
      const asked = this.asked.get(message.number);
      this.asked.delete(message.number);
      if ('error' in message) asked?.reject(message.error);
      else asked?.resolve(message.value);
    }
  }
}
