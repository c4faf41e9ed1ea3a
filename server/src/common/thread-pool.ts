// Thread pool for work that would block the event loop (large bodies, mails), limited in time, memory and
// number of threads.
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { FairLimiter } from './spaces/fair-limiter.ts';

/** Timeout of a job in milliseconds, including its wait for a thread. */
const defaultTimeoutMs = 15_000;
/** Maximum jobs that run or wait, which spaces share; further ones are refused. */
const maxJobs = 64;
/** Leaves one core to the main thread. */
const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Maximum heap of one thread in megabytes. */
const maxHeapMb = 384;
/** Milliseconds after which an idle thread ends. */
const idleTimeoutMs = 60_000;

/** The job was not completed: timeout, out of memory, or no place for it. */
export class ThreadJobError extends Error {
  readonly reason: 'busy' | 'timeout' | 'memory';

  constructor(reason: ThreadJobError['reason'], cause?: unknown) {
    super(`a job was not done: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Takes and returns plain data. */
type ThreadJob<Input, Output> = (input: Input) => Promise<Output>;

/** The jobs of a pool by name. */
// biome-ignore lint/suspicious/noExplicitAny: the input of each job is checked where it is run.
export type ThreadJobs = Record<string, ThreadJob<any, unknown>>;

export interface ThreadJobOptions {
  /** The space for which the job runs; spaces take turns. */
  space: string;
  /** Includes the wait for a thread. */
  timeoutMs?: number;
  /** Buffers that are moved to the thread and unusable here. */
  transfer?: Uint8Array[];
}

/** Runs one kind of job; modules declare with it which jobs they need. Throws a ThreadJobError. */
export type RunThreadJob<Name extends string, Job> =
  Job extends ThreadJob<infer Input, infer Output>
    ? (name: Name, input: Input, options: ThreadJobOptions) => Promise<Output>
    : never;

/** What the file of the jobs receives and returns. */
export interface ThreadJobTask<Jobs extends ThreadJobs> {
  name: keyof Jobs;
  input: unknown;
}
export interface ThreadJobReply {
  output: unknown;
}

export class ThreadPool<Jobs extends ThreadJobs> {
  private readonly jobsFile: URL;
  private readonly limiter = new FairLimiter({ maxRunning: maxThreads, max: maxJobs });
  private pool: Piscina | undefined;
  private closed = false;

  /** `jobsFile` is a module whose default export runs a `ThreadJobTask`. */
  constructor(jobsFile: URL) {
    this.jobsFile = jobsFile;
  }

  async run<N extends keyof Jobs>(
    name: N,
    input: Parameters<Jobs[N]>[0],
    { space, timeoutMs = defaultTimeoutMs, transfer = [] }: ThreadJobOptions,
  ): Promise<Awaited<ReturnType<Jobs[N]>>> {
    if (this.closed || !this.limiter.hasPlace(space)) throw new ThreadJobError('busy');
    const signal = AbortSignal.timeout(timeoutMs);
    const transferList = transfer.filter(ownsMemory).map(({ buffer }) => buffer as ArrayBuffer);
    const work = (): Promise<ThreadJobReply> => {
      if (this.closed) throw new ThreadJobError('busy');
      this.pool ??= createPool(this.jobsFile);
      return this.pool.run({ name, input }, { signal, transferList });
    };
    try {
      const reply = await this.limiter.run(space, work, signal);
      return reply.output as Awaited<ReturnType<Jobs[N]>>;
    } catch (error) {
      if (signal.aborted) throw new ThreadJobError('timeout', error);
      const { code } = error as Error & { code?: string };
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new ThreadJobError('memory', error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.pool?.destroy();
  }
}

/** Small buffers share a pooled ArrayBuffer and must be copied instead of transferred. */
function ownsMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0;
}

function createPool(jobsFile: URL): Piscina {
  return new Piscina({
    filename: jobsFile.href,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleTimeoutMs,
    // Threads that parse untrusted input get no secrets from the environment.
    env: { NODE_ENV: process.env.NODE_ENV },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    recordTiming: false,
  });
}
