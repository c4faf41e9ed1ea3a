/**
 * Manages the worker of the embedded engine: starts it, provides sockets, restarts it after a crash, and
 * shuts it down cleanly.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { StoreLog } from '../store-log.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { PortSocket } from './port-socket.ts';

const maxStartsPerMinute = 5;
const closeTimeoutMs = 20_000;
// Compiled stack frames can be far larger than the engine assumes (max_stack_depth): with a thread's default
// of 4 MB, deeply nested statements and jsonb crash the engine instead of failing with 54001. Only the part
// in use occupies memory.
const stackMegabytes = 256;

/**
 * Counters of the worker since its start: fsync calls that reached the disk, and statements or batches run.
 */
export interface PgliteStatistics {
  fsyncs: number;
  units: number;
}

/** A running engine. */
export interface PgliteWorker {
  /** Creates a client socket for the driver's `stream` option; a second one closes the first. */
  socket(): PortSocket;
  statistics(): Promise<PgliteStatistics>;
  /**
   * Terminates the worker immediately, like a crash; pending requests are rejected and the next client
   * reopens the folder.
   */
  kill(): Promise<void>;
  /** Terminates the worker immediately and permanently, because another process may own the folder now. */
  fence(reason: string): Promise<void>;
  /** Lets the running statement finish, writes a checkpoint and terminates the worker. */
  close(): Promise<void>;
}

export interface PgliteWorkerOptions {
  folder: string;
  templateFile?: string | undefined;
  clock: Clock;
  log: StoreLog;
  /** Throws if this process may no longer write to the folder; called before each write and each start. */
  assertLockHeld?: () => void;
  /**
   * Path of a file that is unlinked when another process takes over the folder; the worker checks it after
   * each write.
   */
  fence?: string;
}

type WorkerMessage =
  | { type: 'ready'; begun: 'existing' | 'template' | 'initialised'; program: WebAssembly.Module }
  | { type: 'crash'; reason: string }
  | { type: 'closed' }
  | ({ type: 'statistics' } & PgliteStatistics);

/** The compiled engine: compiling takes about half a second of processor time, so a restart uses it again. */
let program: WebAssembly.Module | undefined;

interface WorkerRun {
  worker: Worker;
  ready: Promise<void>;
  ended: Promise<void>;
}

/** Starts the engine on a data folder; rejects with the reason if it cannot be opened. */
export async function startPgliteWorker({
  folder,
  templateFile,
  clock,
  log,
  assertLockHeld,
  fence,
}: PgliteWorkerOptions): Promise<PgliteWorker> {
  const sockets = new Set<PortSocket>();
  const starts: number[] = [];
  let run: WorkerRun | undefined;
  let refusal: string | undefined;
  let lastReason = 'no reason given';
  const pendingStatistics: {
    resolve: (statistics: PgliteStatistics) => void;
    reject: (error: Error) => void;
  }[] = [];

  function start(): WorkerRun {
    const began = clock.now();
    starts.push(began);
    const worker = new Worker(new URL('./engine-worker.mjs', import.meta.url), {
      workerData: { task: 'serve', folder, templateFile, fence, program },
      resourceLimits: { stackSizeMb: stackMegabytes },
    });
    let reason = 'it ended without a reason';
    let isReady = false;
    let settleReady: { resolve: () => void; reject: (error: Error) => void };
    const ready = new Promise<void>((resolve, reject) => {
      settleReady = { resolve, reject };
    });
    ready.catch(() => {});
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'crash') reason = message.reason;
      if (message.type === 'statistics')
        pendingStatistics.shift()?.resolve({ fsyncs: message.fsyncs, units: message.units });
      if (message.type !== 'ready') return;
      isReady = true;
      program = message.program;
      log({
        level: 'info',
        message: `storage engine ready (${message.begun})`,
        milliseconds: clock.now() - began,
      });
      settleReady.resolve();
    });
    worker.on('error', (error) => {
      reason = error.message;
    });
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        run = undefined;
        lastReason = reason;
        const error = new StoreUnavailable(refusal ?? `The storage engine stopped: ${reason}`);
        settleReady.reject(error);
        for (const { reject } of pendingStatistics.splice(0)) reject(error);
        for (const socket of [...sockets]) socket.destroy(error);
        resolve();
        if (refusal !== undefined) return;
        log({ level: 'error', message: `storage engine stopped: ${reason}` });
        if (isReady) restart();
      });
    });
    return { worker, ready, ended };
  }

  /** Returns the running engine or starts a new one; throws if it was closed or has crashed too often. */
  function running(): WorkerRun {
    if (refusal !== undefined) throw new StoreUnavailable(refusal);
    if (run) return run;
    assertLockHeld?.();
    while (starts.length > 0 && starts[0]! <= clock.now() - 60_000) starts.shift();
    if (starts.length > maxStartsPerMinute) {
      throw new StoreUnavailable(
        `The storage engine stopped ${starts.length} times within a minute and is not started again yet; the last reason: ${lastReason}`,
      );
    }
    run = start();
    return run;
  }

  /** Reopens the folder without waiting for the next client; on failure the next client gets the error. */
  function restart(): void {
    try {
      running();
    } catch (error) {
      log({ level: 'error', message: (error as Error).message });
    }
  }

  async function openPort() {
    const { worker, ready } = running();
    await ready;
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ type: 'open', port: port2 }, [port2]);
    return port1;
  }

  async function end(reason: string): Promise<void> {
    refusal = reason;
    const last = run;
    if (!last) return;
    await last.worker.terminate();
    await last.ended;
  }

  await running().ready;
  return {
    socket() {
      const socket = new PortSocket(openPort, assertLockHeld);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
    async statistics() {
      const { worker, ready } = running();
      await ready;
      return new Promise((resolve, reject) => {
        pendingStatistics.push({ resolve, reject });
        worker.postMessage({ type: 'statistics' });
      });
    },
    async kill() {
      const last = run;
      await last?.worker.terminate();
      await last?.ended;
    },
    fence: end,
    async close() {
      if (refusal !== undefined) return;
      refusal = 'The storage engine is closed';
      const last = run;
      if (!last) return;
      last.worker.postMessage({ type: 'close' });
      const cancel = clock.after(closeTimeoutMs, () => {
        log({
          level: 'warn',
          message: 'storage engine did not close in time and was ended; it recovers at the next start',
        });
        void last.worker.terminate();
      });
      await last.ended;
      cancel();
    },
  };
}
