// Signals that end a command: the first lets it clean up and report, a second ends it at once.
import { setMaxListeners } from 'node:events';

/** Exit codes of interrupted commands: 128 and the number of the signal. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof signalExitCodes;

export const endingSignals = Object.keys(signalExitCodes) as EndingSignal[];

/** The reason with which the signal of a terminal is aborted. */
class Interruption extends Error {
  readonly signal: EndingSignal;

  constructor(signal: EndingSignal) {
    super('interrupted');
    this.signal = signal;
  }
}

/** Returns the signal that is aborted by the first interruption. */
export function abortOnInterruption(host: Pick<NodeJS.Process, 'on' | 'exit'>): AbortSignal {
  const interruption = new AbortController();
  // Every call that is under way listens, and more than ten would be a warning on stderr.
  setMaxListeners(0, interruption.signal);
  for (const signal of endingSignals) {
    host.on(signal, () => {
      if (interruption.signal.aborted) host.exit(signalExitCodes[signal]);
      interruption.abort(new Interruption(signal));
    });
  }
  return interruption.signal;
}

/** Lets the signals end the process directly, as work that blocks the event loop requires. */
export function endOnInterruption(): void {
  for (const signal of endingSignals) process.removeAllListeners(signal);
}

/** The exit code of a command whose signal was aborted. */
export function interruptedExitCode(signal: AbortSignal): number {
  return signalExitCodes[interruptionOf(signal)];
}

/** Whether the user pressed Ctrl-C, and so can answer a question; other signals come from programs or a lost terminal. */
export function isCtrlC(signal: AbortSignal): boolean {
  return interruptionOf(signal) === 'SIGINT';
}

function interruptionOf({ reason }: AbortSignal): EndingSignal {
  return reason instanceof Interruption ? reason.signal : 'SIGINT';
}
