// Main side of a worker thread that holds calls: starts it again when it ends, and matches its answers to questions.
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log, type LogLine } from '../../common/log.ts';

export interface CallThreadOptions<Message> {
  /** File of the worker; with its data, which is copied. */
  file: URL;
  data: unknown;
  clock: Clock;
  log: Log;
  /** Log message when the worker fails. */
  failure: string;
  /** Milliseconds before each start after an end; the last one for all further ones. */
  restartDelaysMs: readonly [number, ...number[]];
  /** Milliseconds that the worker has for its own end. */
  closeTimeoutMs: number;
  /** Called with messages that are neither lines for the log nor answers. */
  onMessage(message: Message): void;
  /** The worker has ended by itself, and with it its calls. */
  onLost(): void;
}

interface Answer {
  number: number;
}

export class CallThread<Request, Message extends { kind: string }> {
  /** Error of the last failure; empty if there was none. */
  failure = '';
  /** When the worker ended, or this object was made. */
  lostAt: number;
  private readonly options: CallThreadOptions<Exclude<Message, Answer | { kind: 'log' }>>;
  private worker: Worker | undefined;
  private restarts = 0;
  private cancelRestart = () => {};
  private isClosed = false;
  private lastNumber = 0;
  private readonly pending = new Map<number, (answer: (Message & Answer) | null) => void>();

  constructor(options: CallThreadOptions<Exclude<Message, Answer | { kind: 'log' }>>) {
    this.options = options;
    this.lostAt = options.clock.now();
  }

  start(): void {
    const { file, data, log, failure } = this.options;
    const worker = new Worker(file, { workerData: data });
    this.worker = worker;
    worker.on('message', (message: Message) => this.take(message));
    worker.on('error', (error) => {
      this.failure = error.message;
      log({ level: 'error', message: failure, ...errorFields(error) });
    });
    worker.on('exit', () => this.handleExit(worker));
  }

  /** False if there is no worker. */
  post(request: Request): boolean {
    this.worker?.postMessage(request);
    return this.worker !== undefined;
  }

  /** Resolves null when the worker ends first, or after `timeoutMs`. */
  ask(request: (number: number) => Request, timeoutMs?: number): Promise<(Message & Answer) | null> {
    const number = ++this.lastNumber;
    return new Promise((resolve) => {
      if (!this.post(request(number))) {
        resolve(null);
        return;
      }
      const cancel =
        timeoutMs === undefined ? undefined : this.options.clock.after(timeoutMs, () => settle(null));
      const settle = (answer: (Message & Answer) | null) => {
        this.pending.delete(number);
        cancel?.();
        resolve(answer);
      };
      this.pending.set(number, settle);
    });
  }

  /** The worker does its work: after its next end it is started again with the first delay. */
  recovered(): void {
    this.restarts = 0;
  }

  /** Sends the last request, upon which the worker ends its calls and then itself. */
  async close(request: Request): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.cancelRestart();
    const { worker } = this;
    if (!worker) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.closeTimeoutMs);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      worker.postMessage(request);
    });
    await worker.terminate();
  }

  private take(message: Message): void {
    if (isLogLine(message)) this.options.log(message.line);
    else if (isAnswer(message)) this.pending.get(message.number)?.(message);
    else this.options.onMessage(message as Exclude<Message, Answer | { kind: 'log' }>);
  }

  private handleExit(worker: Worker): void {
    if (this.worker !== worker) return;
    const { clock, restartDelaysMs, onLost } = this.options;
    this.worker = undefined;
    this.lostAt = clock.now();
    for (const resolve of [...this.pending.values()]) resolve(null);
    if (this.isClosed) return;
    onLost();
    const delay = restartDelaysMs[Math.min(this.restarts, restartDelaysMs.length - 1)]!;
    this.restarts += 1;
    this.cancelRestart = clock.after(delay, () => this.start());
  }
}

function isAnswer<Message extends { kind: string }>(message: Message): message is Message & Answer {
  return 'number' in message;
}

function isLogLine(message: { kind: string }): message is { kind: 'log'; line: LogLine } {
  return message.kind === 'log';
}
