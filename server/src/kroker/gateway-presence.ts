// Notices when gateways come and go: written to the Kroker's log and notified. A short loss of the connection is
// neither.
import { gatewayTimeoutMs } from '@yagura/core/greac/stream/gateway-protocol';
import type { notifiedEvents } from '@yagura/core/kroker/kroker-notification';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { Database, Transaction } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { runIsolatingFaults } from '../jobs/poison-row-guard.ts';
import { PostponedRows } from '../jobs/postponed-rows.ts';
import { keepKroker, writeKrokerLog } from './kroker-log.ts';

const intervalMs = 15_000;
/** How long a gateway is absent until it counts as disconnected, in milliseconds. */
const absenceMs = 3 * 60_000;

type PresenceEvent = (typeof notifiedEvents)[number];

export interface KrokerChange {
  spaceId: string;
  krokerId: string;
  displayName: string;
  event: PresenceEvent;
}

export interface GatewayPresenceDeps {
  database: Database;
  clock: Clock;
  log: Log;
  nextId: NextId;
  notices: {
    add(tx: Transaction, change: KrokerChange): Promise<void>;
    /** Sends what was added, after the commit. */
    wake(): void;
  };
}

export class GatewayPresence {
  private readonly deps: GatewayPresenceDeps;
  private readonly job: PeriodicJob;
  /** Krokers that the database refuses to change. */
  private readonly postponed: PostponedRows;
  private startedAt = 0;

  constructor(deps: GatewayPresenceDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.postponed = new PostponedRows(clock);
    this.job = new PeriodicJob({
      ...{ clock, log, intervalMs },
      failureMessage: 'the presence of gateways could not be checked',
      work: () => this.check(),
    });
  }

  start(): void {
    this.startedAt = this.deps.clock.now();
    this.job.start();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  /** Checks now. */
  runNow(): Promise<void> {
    return this.job.runNow();
  }

  private async check(): Promise<void> {
    const { database, clock, log } = this.deps;
    const now = clock.now();
    const { rows } = await database.query<Omit<KrokerChange, 'event'> & { isConnected: boolean }>(
      `select k.space_id as "spaceId", k.kroker_id as "krokerId", coalesce(r.body->>'displayName', '') as "displayName",
         not k.connected as "isConnected"
       from kroker_state k
       join resource r on r.space_id = k.space_id and r.kind = 'kroker' and r.id = k.kroker_id
       left join kroker_connection c on c.kroker_id = k.kroker_id and c.seen_at > $1
       where k.gateway_version is not null and k.kroker_id <> all($3::uuid[])
         and (not k.connected and c.kroker_id is not null
           or k.connected and c.kroker_id is null and k.last_connected_at <= $2)`,
      [isoTime(now - gatewayTimeoutMs), isoTime(now - absenceMs), this.postponed.ids(now)],
    );
    for (const { isConnected, ...about } of rows) {
      // While the server was stopped, no gateway could be connected.
      if (!isConnected && now - this.startedAt < absenceMs) continue;
      const change: KrokerChange = { ...about, event: isConnected ? 'connected' : 'disconnected' };
      await runIsolatingFaults(
        [change],
        () => this.store(change),
        async ({ krokerId }, error) => {
          this.postponed.postpone(krokerId);
          const message = 'the presence of a gateway could not be stored';
          log({ level: 'error', message, krokerId, ...errorFields(error) });
        },
      );
    }
    this.postponed.deleteExpired(now);
  }

  private async store(change: KrokerChange): Promise<void> {
    const { database, notices } = this.deps;
    const { spaceId, krokerId, displayName, event } = change;
    await database.transaction(async (tx) => {
      if (!(await keepKroker(tx, change))) return;
      const { rowCount } = await tx.query(
        'update kroker_state set connected = $2 where kroker_id = $1 and connected <> $2',
        [krokerId, event === 'connected'],
      );
      // Another replica was faster.
      if (rowCount === 0) return;
      await writeKrokerLog(tx, this.deps, { spaceId, krokerId, event, subject: displayName, user: null });
      await notices.add(tx, change);
    });
    notices.wake();
  }
}
