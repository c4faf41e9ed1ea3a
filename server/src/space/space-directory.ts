// Tracks the spaces of this server and their origins.
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';

export interface HostedSpace {
  spaceId: string;
  /** Host name that selects the space; null for the one space at the server's own address. */
  host: string | null;
  /** Public origin, such as https://acme.example.com. */
  origin: string;
}

interface SpaceDirectoryDeps {
  database: Database;
  clock: Clock;
  log: Log;
  /** Public origin of the server and of the space without a host name. */
  publicUrl: string;
}

/** NOTIFY channel: a space was created or moved, or its erasure has begun. */
export const spaceChannel = 'yagura_space';
/** Reload interval in milliseconds, for lost notifications. */
const refreshIntervalMs = 4_000;

export class SpaceDirectory {
  private readonly deps: SpaceDirectoryDeps;
  private spaces = new Map<string, HostedSpace>();
  private readonly reading: PeriodicJob;
  private stopListening: (() => unknown) | undefined;
  private onChange: (spaces: readonly HostedSpace[]) => Promise<void> = async () => {};

  constructor(deps: SpaceDirectoryDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.reading = new PeriodicJob({
      ...{ clock, log },
      intervalMs: refreshIntervalMs,
      failureMessage: 'the spaces were not read',
      work: async () => {
        await this.load();
        await this.onChange(this.all());
      },
    });
  }

  /**
   * Loads the spaces and passes them to `changed`, now and after every change; changes by another process
   * arrive within seconds.
   */
  async start(changed: (spaces: readonly HostedSpace[]) => Promise<void>): Promise<void> {
    const { database } = this.deps;
    await this.load();
    this.onChange = changed;
    await changed(this.all());
    // No other process can open the data folder of the embedded engine.
    if (database.kind === 'embedded') return;
    const again = () => void this.refresh();
    this.stopListening = await database.listen(spaceChannel, again, again);
    this.reading.start();
  }

  async close(): Promise<void> {
    await this.stopListening?.();
    await this.reading.close();
  }

  all(): readonly HostedSpace[] {
    return [...this.spaces.values()];
  }

  /** Public origin of a space; the server's own origin for an unknown one. */
  originOf(spaceId: string): string {
    return this.spaces.get(spaceId)?.origin ?? this.deps.publicUrl;
  }

  /** Reloads the spaces; a failure is logged and the last known list stays. */
  refresh(): Promise<void> {
    return this.reading.runNow();
  }

  async load(): Promise<void> {
    const { database, publicUrl } = this.deps;
    const { rows } = await database.query<{ spaceId: string; host: string | null; origin: string | null }>({
      name: 'spaces',
      text: `select space_id as "spaceId", host, origin from space where erasing_since is null
             order by host nulls first`,
    });
    this.spaces = new Map(
      rows.map(({ spaceId, host, origin }) => [
        spaceId,
        { spaceId, host, origin: host === null ? publicUrl : (origin ?? originForHost(publicUrl, host)) },
      ]),
    );
  }
}

/**
 * Makes every running server reload its spaces; with the embedded engine there is none besides the caller.
 */
export async function notifySpaces(database: Database): Promise<void> {
  if (database.kind === 'postgresql') await database.notify(spaceChannel, '');
}

/** The public URL with another host name, same scheme and port. */
export function originForHost(publicUrl: string, host: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}
