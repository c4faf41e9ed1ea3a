// Connected agents as those see them that give them orders and handle their messages.
import type { AgentMessage, AgentProtocol, ServerMessage } from '@yagura/core/ksocket/agent-protocol';

/** A connected agent and its slot. */
export interface Agent {
  spaceId: string;
  ksocketSlotId: string;
  /** Version that is spoken with it. */
  readonly protocol: AgentProtocol;
  send(message: ServerMessage): void;
}

/** What to send to the agent of a slot; the replica with its connection composes the message. */
export type AgentOrder =
  | { type: 'scan' | 'abort' | 'pause' | 'resume'; snapshotId: string }
  | { type: 'request'; requestId: string };

/** Handles messages from agents. */
export interface AgentListener {
  onMessage(agent: Agent, message: AgentMessage): Promise<void>;
  /** Composes the message of an order; null when it is obsolete or the version has no such message. */
  compose(order: AgentOrder, protocol: AgentProtocol): Promise<ServerMessage | null>;
}
