/**
 * Database on the embedded engine: a locked data folder, the engine in a worker, and one connection to it.
 */
import { resolve } from 'node:path';
import pg from 'pg';
import type { Database, StoreOptions } from '../database.ts';
import { migrate } from '../migrate.ts';
import { assertValidChannel, checkNotification, createListeners } from '../notification.ts';
import { poolQueries } from '../pooled-queries.ts';
import { resultTypes } from '../result-types.ts';
import { lockDataFolder, refuseMissingDatabase } from './data-folder.ts';
import { createFileFlusher } from './flush-files.ts';
import { startMaintenance } from './maintenance.ts';
import { startPgliteWorker } from './pglite-worker.ts';
import { findTemplate } from './template.ts';

const connectTimeoutMs = 60_000;

/**
 * Opens a data folder. Throws FolderBusy while another process holds it, and the engine's error if it cannot
 * be opened.
 */
export async function openEmbedded(
  givenFolder: string,
  givenTemplate: string | undefined,
  options: StoreOptions,
): Promise<Database> {
  const { clock, log } = options;
  const folder = resolve(givenFolder);
  const templateFile = findTemplate(givenTemplate);
  if (givenTemplate !== undefined && templateFile !== givenTemplate) {
    log({
      level: 'warn',
      message: `the engine template ${givenTemplate} is not there; the first start takes longer`,
    });
  }
  const lock = await lockDataFolder(folder, clock);
  try {
    refuseMissingDatabase(folder);
    return await openLocked();
  } catch (error) {
    lock.release();
    throw error;
  }

  async function openLocked(): Promise<Database> {
    const assertLockHeld = () => lock.assertHeld();
    const engine = await startPgliteWorker({
      folder,
      templateFile,
      clock,
      log,
      assertLockHeld,
      fence: lock.fence,
    });
    const pool = new pg.Pool({
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: connectTimeoutMs,
      user: 'postgres',
      database: 'postgres',
      ssl: false, // regardless of PGSSLMODE in the environment
      types: resultTypes,
      stream: () => engine.socket(),
      pipeline: true,
    });
    const listeners = createListeners((error) =>
      log({ level: 'error', message: `a listener failed: ${(error as Error).message}` }),
    );
    const queries = poolQueries(pool, options, {
      deliver: async (_tx, channel, payload) => () => listeners.emit(channel, payload),
      isShared: true,
    });
    try {
      const names = await queries.withClient(
        (client) => migrate(client, options.migrations, options.signal),
        true,
      );
      for (const name of names) log({ level: 'info', message: `migration ${name} applied` });
    } catch (error) {
      await pool.end();
      await engine.close();
      throw error;
    }

    const maintenance = startMaintenance({
      store: queries,
      uses: queries.uses,
      flushFiles: createFileFlusher(folder),
      clock,
      log,
    });
    void lock.lost.then(async (message) => {
      log({ level: 'error', message });
      await engine.fence(message);
    });

    let closing: Promise<void> | undefined;
    async function close(): Promise<void> {
      await maintenance.stop();
      await queries.drain();
      await pool.end();
      // The engine writes a checkpoint on shutdown.
      await engine.close();
      lock.release();
    }

    return {
      kind: 'embedded',
      lost: lock.lost,
      query: queries.query,
      transaction: queries.transaction,
      async notify(channel, payload) {
        queries.refuseInTransaction('notify');
        checkNotification(channel, payload);
        listeners.emit(channel, payload);
      },
      async listen(channel, handler, missed = () => {}) {
        assertValidChannel(channel);
        const remove = listeners.add(channel, { handler, missed });
        return async () => {
          remove();
        };
      },
      close() {
        closing ??= close();
        return closing;
      },
    };
  }
}
