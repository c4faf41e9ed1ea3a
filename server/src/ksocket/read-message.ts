// Reads messages of agents: bounded in depth, validated by the version that was agreed.
import {
  type AgentMessageResult,
  type AgentProtocol,
  readAgentMessage,
} from '@yagura/core/ksocket/agent-protocol';
import type { RawData } from 'ws';
import { isNestedDeeper } from '../http/input/nesting-depth.ts';

/** Maximum nesting depth; deeper messages are refused before validation. */
const maxMessageDepth = 32;

export function readMessage(data: RawData, protocol: AgentProtocol): AgentMessageResult {
  try {
    const value: unknown = JSON.parse(String(data));
    return isNestedDeeper(value, maxMessageDepth) ? { invalid: '' } : readAgentMessage(value, protocol);
  } catch {
    return { invalid: '' };
  }
}
