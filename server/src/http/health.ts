// Liveness and readiness endpoints for load balancers and orchestrators, without authentication and for any
// host name.
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { Queryable } from '../db/database.ts';
import { newestMigration } from '../db/migrate.ts';

/** Liveness: the event loop is running. */
const livePath = '/healthz';
/** Readiness: the database responds and its schema matches this program. */
const readyPath = '/readyz';
/** Milliseconds for which a result is cached, to limit database load. */
const cacheMs = 1_000;
/** Milliseconds after which the database counts as unavailable. */
const checkTimeoutMs = 2_000;

/** Minimum free bytes for the database and incoming messages. */
export const minFreeBytes = 32 * 1024 * 1024;

export interface HealthDeps {
  database: Queryable;
  clock: Clock;
  log: Log;
  /** Data folder and the free bytes it needs; undefined when no data is on this machine. */
  disk: { folder: string; minFreeBytes: number } | undefined;
  /** Number of the latest migration known to this program. */
  latestMigration: number;
  /** Why messages are not accepted; null when they are. */
  notReceivingReason(): Promise<string | null>;
  /** Headers of every reply. */
  headers: Record<string, string>;
}

export class Health {
  private readonly deps: HealthDeps;
  /** Check in progress; an unresponsive database is not queried again. */
  private pendingCheck: Promise<string | null> | undefined;
  private lastResult: { at: number; notReadyReason: string | null } | undefined;

  constructor(deps: HealthDeps) {
    this.deps = deps;
  }

  /** Handles the two paths; returns false for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = request.url?.split('?')[0];
    if (path !== livePath && path !== readyPath) return false;
    // Discard the rest of the request.
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      this.send(response, 405, 'only GET is answered', { allow: 'GET, HEAD' });
    else if (path === livePath) this.send(response, 200, 'ok');
    else
      void this.notReadyReason().then((reason) =>
        reason === null ? this.send(response, 200, 'ready') : this.send(response, 503, reason),
      );
    return true;
  }

  /** Why the server is not ready; null when it is. */
  private async notReadyReason(): Promise<string | null> {
    const { clock } = this.deps;
    if (this.lastResult && clock.now() - this.lastResult.at < cacheMs) return this.lastResult.notReadyReason;
    this.pendingCheck ??= this.check().then((reason) => {
      this.pendingCheck = undefined;
      this.recordResult(reason);
      return reason;
    });
    let stop = () => {};
    const late = new Promise<string>((resolve) => {
      stop = clock.after(checkTimeoutMs, () => resolve('the store does not answer'));
    });
    return Promise.race([this.pendingCheck, late]).finally(() => stop());
  }

  private async check(): Promise<string | null> {
    const { database, log, latestMigration, disk } = this.deps;
    const full = disk ? await diskProblem(disk) : null;
    if (full !== null) {
      if (this.lastResult?.notReadyReason == null) log({ level: 'warn', message: `not ready: ${full}` });
      return full;
    }
    try {
      const number = await newestMigration(database);
      if (number > latestMigration) return 'the tables are those of a newer program';
      if (number < latestMigration) return 'migrations are missing';
      return this.deps.notReceivingReason();
    } catch (error) {
      if (this.lastResult?.notReadyReason == null)
        log({ level: 'warn', message: 'not ready: the store cannot be reached', ...errorFields(error) });
      return 'the store cannot be reached';
    }
  }

  private recordResult(notReadyReason: string | null): void {
    const { clock, log } = this.deps;
    if (notReadyReason === null && this.lastResult?.notReadyReason != null)
      log({ level: 'info', message: 'ready again' });
    this.lastResult = { at: clock.now(), notReadyReason };
  }

  private send(response: ServerResponse, status: number, text: string, more: object = {}): void {
    response.writeHead(status, {
      ...this.deps.headers,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...more,
    });
    response.end(response.req.method === 'HEAD' ? undefined : `${text}\n`);
  }
}

/** Why the folder cannot be written to; null when it can. */
async function diskProblem({ folder, minFreeBytes }: { folder: string; minFreeBytes: number }) {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < minFreeBytes ? 'the disk of the data folder is full' : null;
  } catch {
    return 'the data folder cannot be written';
  }
}
