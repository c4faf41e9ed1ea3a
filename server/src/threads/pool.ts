// Threads for what would hold up everybody else: reading large bodies and opening mails, each bounded in time, memory and number.
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { ThreadJobInput, ThreadJobName, ThreadJobOutput, ThreadJobReply } from './jobs.ts';

/** Milliseconds that a job may take, its wait for a thread included. */
const defaultTimeoutMs = 15_000;
/** Jobs that wait for a thread; more than these are refused. */
const maxQueue = 64;
/** Megabytes of values that one thread may hold. */
const maxHeapMb = 384;
/** A thread without a job ends after this many milliseconds. */
const idleTimeoutMs = 60_000;

/** The job was not done: it took too long or too much memory, or too many others wait. */
export class ThreadJobError extends Error {
  readonly reason: 'busy' | 'timeout' | 'memory';

  constructor(reason: ThreadJobError['reason'], cause?: unknown) {
    super(`a job was not done: ${reason}`, { cause });
    this.reason = reason;
  }
}

export class ThreadPool {
  private pool: Piscina | undefined;
  private closed = false;

  /** Runs a job in a thread; the buffers of `transfer` go there and are gone here. Throws JobNotDone. */
  async run<N extends ThreadJobName>(
    name: N,
    input: ThreadJobInput<N>,
    { timeoutMs = defaultTimeoutMs, transfer = [] }: { timeoutMs?: number; transfer?: Uint8Array[] } = {},
  ): Promise<ThreadJobOutput<N>> {
    if (this.closed) throw new ThreadJobError('busy');
    this.pool ??= createPool();
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const reply: ThreadJobReply<N> = await this.pool.run(
        { name, input },
        { signal, transferList: transfer.filter(ownsMemory).map(({ buffer }) => buffer as ArrayBuffer) },
      );
      return reply.output;
    } catch (error) {
      if (signal.aborted) throw new ThreadJobError('timeout', error);
      const { code, message } = error as Error & { code?: string };
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new ThreadJobError('memory', error);
      if (/queue/i.test(message)) throw new ThreadJobError('busy', error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.pool?.destroy();
  }
}

/** Small buffers share their memory with others, and are copied. */
function ownsMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0;
}

function createPool(): Piscina {
  // The bundle has the jobs beside it; from source, a thread has to learn to read TypeScript first.
  const isSource = import.meta.url.endsWith('.ts');
  const filename = new URL(isSource ? './from-source.mjs' : './jobs.js', import.meta.url).href;
  return new Piscina({
    filename,
    minThreads: 0,
    // One core is left to whoever answers.
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    idleTimeout: idleTimeoutMs,
    maxQueue,
    // No secret of the environment is where strangers' bytes are read.
    env: { NODE_ENV: process.env.NODE_ENV },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    recordTiming: false,
  });
}
