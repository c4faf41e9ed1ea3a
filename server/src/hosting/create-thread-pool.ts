// The thread pool of the server with its jobs.
import { ThreadPool } from '../common/thread-pool.ts';
import type { ServerThreadJobs } from './thread-jobs.ts';

export type ServerThreads = ThreadPool<ServerThreadJobs>;

export function createThreadPool(): ServerThreads {
  // The bundle contains the jobs as a file; when running from source, a thread must first load TypeScript
  // support.
  const isSource = import.meta.url.endsWith('.ts');
  return new ThreadPool(new URL(isSource ? './thread-jobs-from-source.mjs' : './jobs.js', import.meta.url));
}
