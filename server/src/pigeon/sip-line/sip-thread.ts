// Main side of the sip line's worker thread: starts it, starts it again when it fails, and talks to it.
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { TrunkStatus } from '../sip/user-agent.ts';
import type { SipSettings } from './sip-settings.ts';
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts';

export interface SipThreadDeps {
  settings: SipSettings;
  clock: Clock;
  log: Log;
}

const restartDelaysMs = [1000, 5000, 30_000] as const;
const statusTimeoutMs = 2000;
/** Time for hanging up all calls and removing the registrations. */
const closeTimeoutMs = 4000;

export class SipThread {
  onMessage: (message: WorkerMessage) => void = () => undefined;
  /** The worker has ended and with it its calls. */
  onLost: () => void = () => undefined;
  private readonly deps: SipThreadDeps;
  private worker: Worker | undefined;
  private restarts = 0;
  private cancelRestart: (() => void) | undefined;
  private isClosed = false;
  private lastNumber = 0;
  private readonly pending = new Map<number, (trunks: TrunkStatus[] | null) => void>();
  private failure = '';
  private lostAt: number;

  constructor(deps: SipThreadDeps) {
    this.deps = deps;
    this.lostAt = deps.clock.now();
  }

  start(): void {
    const worker = new Worker(new URL('./sip-worker.mjs', import.meta.url), {
      workerData: this.deps.settings,
    });
    this.worker = worker;
    worker.on('message', (message: WorkerMessage) => this.handleMessage(message));
    worker.on('error', (error) => {
      this.failure = error.message;
      this.deps.log({ level: 'error', message: 'the thread of the sip line failed', ...errorFields(error) });
    });
    worker.on('exit', () => this.handleExit(worker));
  }

  post(request: WorkerRequest): void {
    if (this.worker) this.worker.postMessage(request);
    else if (request.kind === 'dial') queueMicrotask(() => this.onLost());
  }

  /** States of the trunks; all are unreachable while the worker is down. */
  async trunks(): Promise<TrunkStatus[]> {
    const { settings, clock } = this.deps;
    const number = ++this.lastNumber;
    const answer = await new Promise<TrunkStatus[] | null>((resolve) => {
      if (!this.worker) {
        resolve(null);
        return;
      }
      const cancel = clock.after(statusTimeoutMs, () => resolve(null));
      this.pending.set(number, (trunks) => {
        cancel();
        resolve(trunks);
      });
      this.worker.postMessage({ kind: 'trunks', number } satisfies WorkerRequest);
    });
    this.pending.delete(number);
    if (answer) return answer;
    return settings.trunks.map(({ name }) => ({
      name,
      state: 'unreachable',
      since: this.lostAt,
      detail: this.failure || 'the SIP thread is starting',
    }));
  }

  /** Hangs up all calls and removes the registrations. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.cancelRestart?.();
    const { worker } = this;
    if (!worker) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, closeTimeoutMs);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      worker.postMessage({ kind: 'close' } satisfies WorkerRequest);
    });
    await worker.terminate();
  }

  private handleMessage(message: WorkerMessage): void {
    if (message.kind === 'log') this.deps.log(message.line);
    else if (message.kind === 'trunks') this.pending.get(message.number)?.(message.trunks);
    else {
      if (message.kind === 'report') this.restarts = 0;
      this.onMessage(message);
    }
  }

  private handleExit(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.lostAt = this.deps.clock.now();
    for (const resolve of this.pending.values()) resolve(null);
    if (this.isClosed) return;
    this.onLost();
    const delay = restartDelaysMs[Math.min(this.restarts, restartDelaysMs.length - 1)]!;
    this.restarts += 1;
    this.cancelRestart = this.deps.clock.after(delay, () => this.start());
  }
}
