// Reads messages of agents: bounded in depth, validated by the version that was agreed; large ones in a worker thread.
import {
  type AgentMessageResult,
  type AgentProtocol,
  readAgentMessage,
} from '@yagura/core/ksocket/agent-protocol';
import type { RawData } from 'ws';
import type { RunThreadJob } from '../common/thread-pool.ts';
import { isNestedDeeper } from '../http/input/nesting-depth.ts';

/** Maximum nesting depth; deeper messages are refused before validation. */
const maxMessageDepth = 32;
/** Larger messages are read in a thread: eight megabytes of empty lists take the better part of a second. */
const inlineBytes = 32 * 1024;

interface MessageInput {
  bytes: Uint8Array;
  protocol: AgentProtocol;
}

/** Threads that read large messages. */
export interface AgentMessageThreads {
  run: RunThreadJob<'agentMessage', typeof readMessageInThread>;
}

export async function readMessageInThread({ bytes, protocol }: MessageInput): Promise<AgentMessageResult> {
  return readMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), protocol);
}

/** Throws a ThreadJobError if a large message could not be read. The bytes are unusable afterwards. */
export async function readReceivedMessage(
  data: RawData,
  protocol: AgentProtocol,
  { threads, space }: { threads: AgentMessageThreads; space: string },
): Promise<AgentMessageResult> {
  const bytes = data as Buffer;
  if (bytes.length <= inlineBytes) return readMessage(bytes, protocol);
  return threads.run('agentMessage', { bytes, protocol }, { space, transfer: [bytes] });
}

export function readMessage(data: RawData, protocol: AgentProtocol): AgentMessageResult {
  try {
    const value: unknown = JSON.parse(String(data));
    return isNestedDeeper(value, maxMessageDepth) ? { invalid: '' } : readAgentMessage(value, protocol);
  } catch {
    return { invalid: '' };
  }
}
