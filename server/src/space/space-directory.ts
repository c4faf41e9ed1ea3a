// Which spaces this server holds and where each of them is reached.
import type { Clock } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { createCoalescedRunner } from '../jobs/coalesced-runner.ts';

export interface HostedSpace {
  spaceId: string;
  /** The host name that selects it; null for the one space that is reached at the server's own address. */
  host: string | null;
  /** Where browsers reach it, such as https://acme.example.com. */
  origin: string;
}

interface SpaceDirectoryDeps {
  database: Database;
  clock: Clock;
  log: Log;
  /** Where browsers reach the server, and with it the space without a host name. */
  publicUrl: string;
}

/** Tells replicas that a space was made, moved or erased. */
const channel = 'yagura_space';
/** For a message that was lost, in milliseconds. */
const refreshIntervalMs = 4_000;

export class SpaceDirectory {
  private readonly deps: SpaceDirectoryDeps;
  private spaces = new Map<string, HostedSpace>();
  private readonly stops: (() => unknown)[] = [];
  private readonly reading = createCoalescedRunner(() => this.read());
  private onChange: (spaces: readonly HostedSpace[]) => Promise<void> = async () => {};

  constructor(deps: SpaceDirectoryDeps) {
    this.deps = deps;
  }

  /** Reads the spaces and tells them to `changed`, now and after every change; a change by another process within seconds. */
  async start(changed: (spaces: readonly HostedSpace[]) => Promise<void>): Promise<void> {
    const { database, clock } = this.deps;
    await this.load();
    this.onChange = changed;
    await changed(this.all());
    // Nobody else opens the data folder of the embedded engine.
    if (database.kind === 'embedded') return;
    const again = () => void this.refresh();
    this.stops.push(await database.listen(channel, again, again), clock.every(refreshIntervalMs, again));
  }

  async close(): Promise<void> {
    for (const stop of this.stops.splice(0)) await stop();
    await this.reading.idle();
  }

  all(): readonly HostedSpace[] {
    return [...this.spaces.values()];
  }

  /** Where people reach a space; the server's own address for one that is not known any more. */
  originOf(spaceId: string): string {
    return this.spaces.get(spaceId)?.origin ?? this.deps.publicUrl;
  }

  /** Reads again; a failure is logged and what was known holds. */
  refresh(): Promise<void> {
    return this.reading.run();
  }

  async load(): Promise<void> {
    const { database, publicUrl } = this.deps;
    const { rows } = await database.query<{ spaceId: string; host: string | null; origin: string | null }>({
      name: 'spaces',
      text: 'select space_id as "spaceId", host, origin from space order by host nulls first',
    });
    this.spaces = new Map(
      rows.map(({ spaceId, host, origin }) => [
        spaceId,
        { spaceId, host, origin: host === null ? publicUrl : (origin ?? originForHost(publicUrl, host)) },
      ]),
    );
  }

  private async read(): Promise<void> {
    try {
      await this.load();
      await this.onChange(this.all());
    } catch (error) {
      this.deps.log({ level: 'warn', message: 'the spaces were not read', ...errorFields(error) });
    }
  }
}

/** Makes every running server read its spaces anew; on the embedded engine there is no other than the caller. */
export async function notifySpaces(database: Database): Promise<void> {
  if (database.kind === 'postgresql') await database.notify(channel, '');
}

/** The same scheme and port under another host name. */
export function originForHost(publicUrl: string, host: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}
