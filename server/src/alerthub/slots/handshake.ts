// Handshakes by which a sender verifies that the owner of an address wants its messages: Amazon SNS, Azure Event
// Grid, and CloudEvents (HTTP 1.1 Web Hooks for Event Delivery).
import type { IncomingMessage } from 'node:http';

export type HandshakeKind = 'sns' | 'event-grid' | 'cloud-events';

/** The kind of handshake that the headers announce; undefined for a message. */
export function handshakeOf({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): HandshakeKind | undefined {
  if (method === 'OPTIONS' && headers['webhook-request-origin'] !== undefined) return 'cloud-events';
  if (method !== 'POST') return undefined;
  if (headers['x-amz-sns-message-type'] === 'SubscriptionConfirmation') return 'sns';
  return headers['aeg-event-type'] === 'SubscriptionValidation' ? 'event-grid' : undefined;
}
