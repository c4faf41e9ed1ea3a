// What reading the content of messages needs.
import type { ResourceServices } from '../../resource/request-context.ts';
import type { LargeMessageLimiter } from './message-bytes.ts';
import type { MessageThreads } from './message-thread-jobs.ts';

export interface MessageContentServices extends ResourceServices {
  /** Limits concurrent large messages in memory. */
  largeMessages: LargeMessageLimiter;
  threads: MessageThreads;
}
