// Jobs of the thread pool; each takes and returns plain data.
import { messageThreadJobs } from '../alerthub/messages/message-thread-jobs.ts';
import type { ThreadJobReply, ThreadJobs, ThreadJobTask } from '../common/thread-pool.ts';
import { readBodyInThread } from '../http/body/body-thread-job.ts';
import { readMessageInThread } from '../ksocket/read-message.ts';

const jobs = {
  body: readBodyInThread,
  agentMessage: readMessageInThread,
  ...messageThreadJobs,
} satisfies ThreadJobs;

export type ServerThreadJobs = typeof jobs;

/** Entry point called by the pool. */
export default async function run({ name, input }: ThreadJobTask<ServerThreadJobs>): Promise<ThreadJobReply> {
  const job: ThreadJobs[string] = jobs[name];
  return { output: await job(input) };
}
