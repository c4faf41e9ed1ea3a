// How long an agent that says nothing still counts as connected.

/** Seconds: three missed signs of life. */
export const heardWithin = 60;
/** Milliseconds between signs of life. */
export const beat = 20_000;
