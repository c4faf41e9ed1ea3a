/** Log lines of the storage layer. */

/**
 * One line; `milliseconds` is the duration, `failedCalls` how many calls failed meanwhile. No line contains a password or a
 * row value. An alias, not an interface, so that a log of any fields takes it.
 */
export type StoreLogLine = {
  level: 'info' | 'warn' | 'error';
  message: string;
  milliseconds?: number;
  failedCalls?: number;
};

/** Takes log lines of the store. */
export type StoreLog = (line: StoreLogLine) => void;
