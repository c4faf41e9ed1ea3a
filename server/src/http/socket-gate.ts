// What the WebSockets of agents, gateways and viewers have in common: who may open one, and why it is closed.
import type { IncomingMessage } from 'node:http';
import { ipBlockedDetail, Problem } from '@yagura/core/http/problem';
import type { BlockedRequest } from '../audit/blocked-requests.ts';

/** The space that a WebSocket connects to. */
export interface SocketGate {
  spaceId: string;
  /** Whether the space's IP restriction permits an address. */
  permits(address: string): boolean;
  noteBlocked(blocked: BlockedRequest): void;
}

/** Throws 403, and notes it, for an address that the space does not permit. */
export function requirePermittedAddress(
  gate: SocketGate,
  request: IncomingMessage,
  { address, path }: { address: string; path: string },
): void {
  if (gate.permits(address)) return;
  gate.noteBlocked({ address, userAgent: request.headers['user-agent'] ?? '', method: 'GET', path });
  throw new Problem('forbidden', { detail: ipBlockedDetail });
}

/** Subprotocols that the client offers. */
export function offeredSubprotocols(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

/** Throws 400 unless the subprotocol is offered. */
export function requireSubprotocol(offered: readonly string[], subprotocol: string): void {
  if (!offered.includes(subprotocol))
    throw new Problem('invalid', { detail: `the subprotocol ${subprotocol} is required` });
}

/** Work that a message causes. It runs after that of earlier messages. */
export type MessageWork = (() => Promise<void>) | undefined;

/** Reason with which the connection is closed; RFC 6455 allows 123 bytes. */
export function refusalReason(invalidField: string): string {
  const field = invalidField.replace(/[^\w.]/g, '?').slice(0, 80);
  return `not a message of this protocol${field && `: ${field}`}`;
}
