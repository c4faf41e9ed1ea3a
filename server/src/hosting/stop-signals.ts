// The signals that end the server, heard from the beginning of the process: the first process of a container ignores those
// that nobody listens to.
import type { Log } from '../common/log.ts';

export interface StopSignals {
  /** Aborted by the first signal, if it comes before the server is ready. */
  readonly whileStarting: AbortSignal;
  /** The server is ready: the first signal from now on calls `stop`, or the one that came before at once. */
  ready(stop: (signal: NodeJS.Signals) => void): void;
}

/** A second signal ends the process immediately. */
export function listenForStopSignals(
  log: Log,
  source: Pick<NodeJS.Process, 'on' | 'exit'> = process,
): StopSignals {
  const starting = new AbortController();
  let first: NodeJS.Signals | undefined;
  let stop: ((signal: NodeJS.Signals) => void) | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first) return source.exit(130);
    first = signal;
    if (stop) return stop(signal);
    log({ level: 'info', message: 'stopping before the server is ready', signal });
    starting.abort(new Error('The start was stopped by a signal'));
  };
  source.on('SIGTERM', onSignal);
  source.on('SIGINT', onSignal);
  return {
    whileStarting: starting.signal,
    ready(work) {
      stop = work;
      if (first) work(first);
    },
  };
}
