import type { Log } from '../common/log.ts';
import type { Environment } from './config.ts';

/** What each command of `yagura-server` is given. */
export interface CommandOptions {
  /** What follows the name of the command. */
  args: string[];
  env: Environment;
  log: Log;
  /** Prints one line to the user. */
  print(line: string): void;
}
