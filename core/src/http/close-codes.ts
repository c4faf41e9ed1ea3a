/**
 * Codes with which the server closes the WebSocket of an on-site agent or gateway (RFC 6455 section 7.4.2: 4000 to 4999
 * are for applications).
 */
export const closeCodes = {
  /** The token was deleted or replaced, or has expired. */
  revoked: 4001,
  /** A message was invalid. */
  malformed: 4002,
  /** The space's IP restriction no longer allows the address. */
  blocked: 4003,
  /** No message was received for too long. */
  idle: 4008,
  /** Another connection has taken the place of this one. */
  replaced: 4009,
} as const;
