// Finds out whether a TCP port of a host answers.
import { connect } from 'node:net';

/** `closed`: the host refused the connection, so it is up. */
export type ProbeResult = 'open' | 'closed' | 'silent';

export interface Probe {
  address: string;
  port: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Connects and closes at once, without sending anything on the connection. Rejects only on abort. */
export function probeTcp({ address, port, timeoutMs, signal }: Probe): Promise<ProbeResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect({ host: address, port, family: 4 });
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const onAbort = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(() => resolve('silent')), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => end(() => resolve('open')));
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      end(() => resolve(code === 'ECONNREFUSED' || code === 'ECONNRESET' ? 'closed' : 'silent')),
    );
  });
}
