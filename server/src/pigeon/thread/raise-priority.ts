// Priority of the thread of calls: packets are due every 20 ms, also while the other threads have much to do.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Nice value of a thread that sends audio. */
const audioPriority = -10;

/**
 * Lets the system prefer this thread to others. Only Linux has priorities by thread, and only a process with
 * CAP_SYS_NICE or LimitNICE may raise them; otherwise the thread keeps its priority. Returns why it could not be raised.
 */
export function raiseThreadPriority(): string | null {
  try {
    // PID/task/TID; setpriority(2) takes the number of a thread on Linux.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, audioPriority);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
