// Polling interval in milliseconds of a view whose changes are not pushed.
export const viewPollIntervalMs = 10_000;
