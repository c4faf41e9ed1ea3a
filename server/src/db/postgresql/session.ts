/** A dedicated PostgreSQL connection outside the pool that detects quickly when it is lost. */
import pg from 'pg';
import type { Clock } from '../clock.ts';
import { toStoreError } from '../store-unavailable.ts';

const pingIntervalMs = 5_000;
const answerTimeoutMs = 5_000;

/** An open session; `lost` resolves once when it has ended for any reason. */
export interface DatabaseSession {
  client: pg.Client;
  lost: Promise<void>;
  end(): Promise<void>;
}

/** Connects and sends a keep-alive query every 5 s: a broken network is detected within 10 s. */
export async function openDatabaseSession(
  config: pg.ClientConfig,
  prepare: string,
  clock: Clock,
): Promise<DatabaseSession> {
  const client = new pg.Client(config);
  let stopPings = () => {};
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => {
      stopPings();
      resolve();
    });
  });
  // `lost` reports the loss; without a listener the error would end the process.
  client.on('error', () => cut());
  const cut = () => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  try {
    await client.connect();
    await client.query(prepare);
  } catch (error) {
    cut();
    throw toStoreError(error);
  }
  stopPings = clock.every(pingIntervalMs, () => {
    const cancel = clock.after(answerTimeoutMs, cut);
    client.query('SELECT 1').then(cancel, () => {
      cancel();
      cut();
    });
  });
  return {
    client,
    lost,
    async end() {
      stopPings();
      await client.end();
    },
  };
}
