// How long an agent that says nothing still counts as connected.

/** Seconds: three missed signs of life. */
export const heartbeatTimeoutSeconds = 60;
/** Milliseconds between signs of life. */
export const heartbeatIntervalMs = 20_000;
