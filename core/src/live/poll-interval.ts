// How often a view looks for changes that nothing announces (spec section 9), in milliseconds.
export const viewPollIntervalMs = 10_000;
