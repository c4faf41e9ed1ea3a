// Main side of the mock phone's worker thread: starts it, starts it again when it fails, and talks to it.
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { PhoneAddress, PhoneCommand, PhoneMessage, PhoneRequest } from './phone-messages.ts';

const restartDelayMs = 5000;
const closeTimeoutMs = 3000;

/** Messages that are not answers to a question. */
export type PhoneReport = Extract<PhoneMessage, { kind: 'incoming' | 'status' | 'key' }>;
type Answer = Extract<PhoneMessage, { kind: 'acted' | 'heard' }>;

export interface PhoneThreadEvents {
  report(report: PhoneReport): void;
  /** The worker has ended and with it its calls. */
  lost(): void;
}

export class PhoneThread {
  /** Why the phone takes no calls; null while it does. */
  problem: string | null = 'the phone is starting';
  private readonly address: PhoneAddress;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly events: PhoneThreadEvents;
  private worker: Worker | undefined;
  private isClosed = false;
  private cancelRestart = () => {};
  private lastNumber = 0;
  private readonly pending = new Map<number, (answer: Answer | null) => void>();

  constructor(
    { address, clock, log }: { address: PhoneAddress; clock: Clock; log: Log },
    events: PhoneThreadEvents,
  ) {
    this.address = address;
    this.clock = clock;
    this.log = log;
    this.events = events;
  }

  start(): void {
    const worker = new Worker(new URL('./phone-worker.mjs', import.meta.url), { workerData: this.address });
    this.worker = worker;
    worker.on('message', (message: PhoneMessage) => this.take(message));
    worker.on('error', (error) => {
      this.problem = error.message.slice(0, 200);
      this.log({ level: 'error', message: 'the thread of the mock phone failed', ...errorFields(error) });
    });
    worker.on('exit', () => {
      this.worker = undefined;
      for (const resolve of this.pending.values()) resolve(null);
      this.pending.clear();
      if (this.isClosed) return;
      this.problem ??= 'the thread of the phone ended';
      this.events.lost();
      this.cancelRestart = this.clock.after(restartDelayMs, () => this.start());
    });
  }

  post(request: PhoneRequest): void {
    this.worker?.postMessage(request);
  }

  async act(mockCallId: string, command: PhoneCommand): Promise<boolean> {
    const answer = await this.ask((number) => ({ kind: 'act', number, mockCallId, command }));
    return answer?.kind === 'acted' && answer.done;
  }

  /** µ-law; null for a call that the worker no longer has. */
  async heard(mockCallId: string): Promise<Uint8Array | null> {
    const answer = await this.ask((number) => ({ kind: 'heard', number, mockCallId }));
    return answer?.kind === 'heard' ? answer.audio : null;
  }

  /** Hangs up all calls. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelRestart();
    const { worker } = this;
    if (!worker) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, closeTimeoutMs);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      this.post({ kind: 'close' });
    });
    await worker.terminate();
  }

  /** Resolves null when the worker ends first. */
  private ask(request: (number: number) => PhoneRequest): Promise<Answer | null> {
    if (!this.worker) return Promise.resolve(null);
    const number = ++this.lastNumber;
    return new Promise((resolve) => {
      this.pending.set(number, resolve);
      this.post(request(number));
    });
  }

  private take(message: PhoneMessage): void {
    switch (message.kind) {
      case 'started':
        this.problem = null;
        break;
      case 'log':
        this.log(message.line);
        break;
      case 'acted':
      case 'heard':
        this.pending.get(message.number)?.(message);
        this.pending.delete(message.number);
        break;
      default:
        this.events.report(message);
    }
  }
}
