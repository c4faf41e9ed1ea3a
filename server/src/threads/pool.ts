// Thread pool for work that would block the event loop (large bodies, mails), limited in time, memory and
// number of threads.
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { ThreadJobInput, ThreadJobName, ThreadJobOutput, ThreadJobReply } from './jobs.ts';

/** Timeout of a job in milliseconds, including its wait for a thread. */
const defaultTimeoutMs = 15_000;
/** Maximum queued jobs; further ones are refused. */
const maxQueue = 64;
/** Maximum heap of one thread in megabytes. */
const maxHeapMb = 384;
/** Milliseconds after which an idle thread ends. */
const idleTimeoutMs = 60_000;

/** The job was not completed: timeout, out of memory, or a full queue. */
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

  /**
   * Runs a job in a thread; the buffers in `transfer` are moved there and unusable here. Throws JobNotDone.
   */
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

/** Small buffers share a pooled ArrayBuffer and must be copied instead of transferred. */
function ownsMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0;
}

function createPool(): Piscina {
  // The bundle contains the jobs as a file; when running from source, a thread must first load TypeScript
  // support.
  const isSource = import.meta.url.endsWith('.ts');
  const filename = new URL(isSource ? './from-source.mjs' : './jobs.js', import.meta.url).href;
  return new Piscina({
    filename,
    minThreads: 0,
    // Leave one core to the main thread.
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    idleTimeout: idleTimeoutMs,
    maxQueue,
    // Threads that parse untrusted input get no secrets from the environment.
    env: { NODE_ENV: process.env.NODE_ENV },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    recordTiming: false,
  });
}
