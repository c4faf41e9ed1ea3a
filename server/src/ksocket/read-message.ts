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

/** Reason with which the connection is closed; RFC 6455 allows 123 bytes. */
export function refusalReason(invalidField: string): string {
  const field = invalidField.replace(/[^\w.]/g, '?').slice(0, 80);
  return `not a message of this protocol${field && `: ${field}`}`;
}
