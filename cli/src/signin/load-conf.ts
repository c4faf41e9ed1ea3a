// Loads conf without the signal handlers of its dependency when-exit. At the first signal they send it to this process
// again, which would count as the second one and end the command at once (command-line/interruption.ts).
import { constants } from 'node:os';

let loaded: Promise<typeof import('conf')> | undefined;

export function loadConf(): Promise<typeof import('conf')> {
  loaded ??= importWithoutHandlers();
  return loaded;
}

async function importWithoutHandlers(): Promise<typeof import('conf')> {
  const signals = Object.keys(constants.signals) as NodeJS.Signals[];
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const conf = await import('conf');
  for (const [signal, listeners] of before)
    for (const listener of process.listeners(signal))
      if (!listeners.has(listener)) process.removeListener(signal, listener);
  return conf;
}
