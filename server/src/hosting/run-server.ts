// Runs a server as the main job of the process: prints where it is reachable, and ends the process with it.
import { errorFields, type Log } from '../common/log.ts';
import { type FirstSignIn, type Server, type ServerOptions, startServer } from './server.ts';
import { listenForStopSignals, type StopSignals } from './stop-signals.ts';

interface RunOptions extends ServerOptions {
  /** Listening already; from here on when absent. */
  stopSignals?: StopSignals;
}

/**
 * Resolves once the server is ready; afterwards the process ends by a signal, or when the server cannot continue. A signal
 * during the start ends it as soon as what was begun can be closed.
 */
export async function runServer({ stopSignals, ...options }: RunOptions): Promise<void> {
  const { log } = options;
  const signals = stopSignals ?? listenForStopSignals(log);
  const server = await startServer({ ...options, onFirstSignIn: printFirstSignIn });
  const stop = stopOnce(server, log);
  signals.ready(stop);
  if (signals.whileStarting.aborted) return;
  void server.lost.then((message) => {
    process.stderr.write(`Yagura stops: ${message}\n`);
    process.exit(1);
  });
  void server.outdated.then((message) => {
    process.stderr.write(`Yagura stops: ${message}\n`);
    stop();
  });
  server.failed.catch((error) => {
    log({
      level: 'error',
      message: 'nothing can be received any more, so the server ends',
      ...errorFields(error),
    });
    process.exit(1);
  });
  process.stdout.write(`Yagura is ready at ${server.origin}\n`);
  if (server.mailPort !== undefined) process.stdout.write(`Mails come in at port ${server.mailPort}\n`);
}

function printFirstSignIn({ email, password }: FirstSignIn): void {
  process.stdout.write(
    password === undefined
      ? `Sign in as ${email} with the password you have set\n`
      : `Sign in as ${email} with the password ${password} (shown only this once)\n`,
  );
}

/** Shuts down gracefully, once. Without a signal the exit code is 1. */
function stopOnce(server: Server, log: Log): (signal?: NodeJS.Signals) => void {
  let stopping = false;
  return (signal) => {
    if (stopping) return;
    stopping = true;
    log({ level: 'info', message: 'stopping', ...(signal && { signal }) });
    server.close().then(
      () => process.exit(signal ? 0 : 1),
      (error) => {
        log({ level: 'error', message: 'stopping failed', ...errorFields(error) });
        process.exit(1);
      },
    );
  };
}
