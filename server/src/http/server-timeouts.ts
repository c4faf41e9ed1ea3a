// Timeouts of HTTP servers against clients that send slowly or not at all, in milliseconds.
export const serverTimeouts = {
  /** For the headers of a request, from the start of the connection or of the request. */
  headersTimeout: 20_000,
  /** For a complete request. */
  requestTimeout: 60_000,
  /** Longer than the idle time after which common load balancers close a connection (60 s). */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
} as const;
