/** One session on a PostgreSQL server for LISTEN and for locks that are held, reopened whenever it is lost. */
import type { Clock } from '../clock.ts';
import { assertValidChannel, createListeners } from '../notification.ts';
import type { StoreLog } from '../store-log.ts';
import type { DatabaseSession } from './session.ts';

/** Shorter than the time after which other processes consider this one dead; see `jobs/abandoned-leases.ts`. */
const maxPauseMs = 5_000;

/** Listens to channels as described for Database.listen. */
export interface NotificationListener {
  listen(
    channel: string,
    handler: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>;
  /** Holds a shared advisory lock as described for Database.holdLock. */
  holdLock(seed: string, key: string): Promise<void>;
  close(): Promise<void>;
}

const lockStatement = 'SELECT pg_advisory_lock_shared(hashtextextended($1, $2::bigint))';

/** Listens over sessions created by `open`; the first listener opens the first one. */
export function createNotificationListener(options: {
  open: () => Promise<DatabaseSession>;
  clock: Clock;
  log: StoreLog;
}): NotificationListener {
  const { open, clock, log } = options;
  const listeners = createListeners((error) =>
    log({ level: 'error', message: `a listener failed: ${(error as Error).message}` }),
  );
  const locks: [key: string, seed: string][] = [];
  let session: Promise<DatabaseSession> | undefined;
  let isClosed = false;
  let cancelRetry = () => {};

  async function start(): Promise<DatabaseSession> {
    const opened = await open();
    opened.client.on('notification', ({ channel, payload }) => listeners.emit(channel, payload ?? ''));
    try {
      for (const lock of locks) await opened.client.query(lockStatement, lock);
      for (const channel of listeners.channels()) await opened.client.query(`LISTEN "${channel}"`);
    } catch (error) {
      await opened.end();
      throw error;
    }
    void opened.lost.then(() => {
      session = undefined;
      if (isClosed) return;
      log({ level: 'warn', message: 'the listening connection was lost; it is opened again' });
      reopen(0);
    });
    return opened;
  }

  function reopen(pause: number): void {
    cancelRetry = clock.after(pause, async () => {
      if (isClosed || session) return;
      try {
        await connect();
        listeners.emitMissed();
      } catch {
        reopen(Math.min(maxPauseMs, Math.max(1_000, pause * 2)));
      }
    });
  }

  function connect(): Promise<DatabaseSession> {
    session ??= start();
    const started = session;
    started.catch(() => {
      if (session === started) session = undefined;
    });
    return started;
  }

  return {
    async listen(channel, handler, missed = () => {}) {
      assertValidChannel(channel);
      const removeListener = listeners.add(channel, { handler, missed });
      try {
        const { client } = await connect();
        await client.query(`LISTEN "${channel}"`);
      } catch (error) {
        removeListener();
        throw error;
      }
      return async () => {
        const wasLast = removeListener();
        if (!wasLast || isClosed) return;
        const current = await session?.catch(() => undefined);
        if (listeners.channels().includes(channel)) return;
        await current?.client.query(`UNLISTEN "${channel}"`).catch(() => {});
      };
    },
    async holdLock(seed, key) {
      const { client } = await connect();
      await client.query(lockStatement, [key, seed]);
      locks.push([key, seed]);
    },
    async close() {
      isClosed = true;
      cancelRetry();
      const current = await session?.catch(() => undefined);
      await current?.end();
    },
  };
}
