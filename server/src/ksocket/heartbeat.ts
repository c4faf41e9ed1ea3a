// Heartbeat interval and timeout of agent connections.

/** In seconds: three missed heartbeats. */
export const heartbeatTimeoutSeconds = 60;
/** In milliseconds. */
export const heartbeatIntervalMs = 20_000;
