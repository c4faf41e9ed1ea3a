/** Clocks of replicas differ by less, in milliseconds: a time further in the future is of a clock that was wrong. */
export const clockToleranceMs = 60_000;
