// What streams need of a connected gateway.
import type { GatewayOrder } from '@yagura/core/greac/stream/gateway-protocol';

export interface GatewayLink {
  readonly spaceId: string;
  readonly krokerId: string;
  /** Ed25519 public key that log parts are signed with. */
  readonly signingKey: string;
  readonly isOpen: boolean;
  send(order: GatewayOrder): void;
  /** Queues a frame of a channel; `onSent` is called when it was handed to the network. */
  sendFrame(channel: number, frame: Uint8Array, onSent?: () => void): void;
  /** Forgets what the channel has not sent yet. */
  dropChannel(channel: number): void;
  /** Ends the connection because of an invalid message. */
  refuse(what: string): void;
}
