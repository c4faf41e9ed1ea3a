/** Log lines of the storage engine. */

/** One line; `milliseconds` is how long the thing took. No line holds a password or a value of a row. */
export interface StoreLogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  milliseconds?: number;
}

/** Takes log lines of the store. */
export type StoreLog = (line: StoreLogLine) => void;
