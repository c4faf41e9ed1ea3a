// Wakes triggers that wait in the store when their time has come, through restarts and with several replicas.
import type { EventRow } from '@yagura/core/alerthub/decide/batch';
import type { Release } from '@yagura/core/alerthub/decide/release';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';

interface ReleaseParts {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

/** Triggers looked at in one turn. */
const mostAtOnce = 200;
/** Sleeps no longer than this, in milliseconds: another server's clock may differ, and its rows are not announced. */
const longestSleep = 60_000;

export class Releases {
  private readonly parts: ReleaseParts;
  private readonly release: () => Promise<number>;
  private cancelTimer: (() => void) | undefined;
  private closed = false;
  private working = false;

  /** `release` decides what is due and gives how much that was. */
  constructor(parts: ReleaseParts, release: () => Promise<number>) {
    this.parts = parts;
    this.release = release;
    parts.changes.listen((list) => {
      if (list.some(({ resource }) => resource === 'mute-schedule')) this.plan();
    });
  }

  start(): void {
    this.plan();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  /** Sets the alarm for the next waiting trigger. */
  plan(): void {
    if (this.closed) return;
    this.parts.database
      .query<{ at: string | null }>({
        name: 'next-release',
        text: 'select min(due_at) as at from waiting_trigger',
      })
      .then(({ rows }) => {
        const at = rows[0]?.at;
        if (!at) return this.wakeAfter(longestSleep, () => this.plan());
        const delay = Math.max(Date.parse(at) - this.parts.clock.now(), 0);
        if (delay <= longestSleep) this.wakeAfter(delay, () => void this.work());
        else this.wakeAfter(longestSleep, () => this.plan());
      })
      .catch(() => this.wakeAfter(5000, () => this.plan()));
  }

  private wakeAfter(delay: number, work: () => void): void {
    this.cancelTimer?.();
    this.cancelTimer = this.closed ? undefined : this.parts.clock.after(delay, work);
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      while (!this.closed && (await this.release()) === mostAtOnce) {
        // Until less than a full turn is due.
      }
      // What waits about an event that is no longer kept would be due for ever.
      await this.parts.database.query(
        'delete from waiting_trigger w where w.due_at <= $1 and not exists (select 1 from event e where e.event_id = w.event_id)',
        [isoTime(this.parts.clock.now())],
      );
    } catch (error) {
      const message = 'waiting triggers could not be decided, will be tried again';
      this.parts.log({ level: 'warn', message, ...errorFacts(error) });
      this.working = false;
      return this.wakeAfter(5000, () => this.plan());
    }
    this.working = false;
    this.plan();
  }
}

/** The first due triggers of one space, with their events and messages. */
export async function dueReleases(
  db: Queryable,
  now: string,
): Promise<{ spaceId: string | undefined; releases: Release[] }> {
  const { rows } = await db.query<Row>(
    `select w.space_id, w.waiting_trigger_id, w.scope_id, w.trigger_id, w.cause, w.mute_schedule_id, w.due_at, w.trigger_values,
       to_jsonb(e) as event, e.created_at as event_at, m.message_id, m.received_at, m.receive_slot_id, m.receive_slot_kind,
       m.request_url, m.headers, m.body
     from waiting_trigger w join event e on e.event_id = w.event_id
     left join message m on m.message_id = w.message_id
     where w.due_at <= $1 and w.space_id = (select space_id from waiting_trigger where due_at <= $1
       order by due_at, waiting_trigger_id limit 1)
     order by w.due_at, w.waiting_trigger_id limit ${mostAtOnce}`,
    [now],
  );
  return { spaceId: rows[0]?.space_id, releases: rows.map(releaseOf) };
}

function releaseOf(row: Row): Release {
  const { event } = row;
  return {
    waitingTriggerId: row.waiting_trigger_id,
    scopeId: row.scope_id,
    triggerId: row.trigger_id,
    cause: row.cause,
    muteScheduleId: row.mute_schedule_id,
    dueAt: row.due_at,
    values: row.trigger_values,
    event: {
      eventId: event.event_id,
      scopeId: event.scope_id,
      severityName: event.severity_name,
      delta: event.delta,
      previousSeverity: event.previous_severity,
      severity: event.severity,
      statusBefore: event.status_before,
      status: event.status,
      source: event.source,
      ruleId: event.rule_id,
      messageId: event.message_id,
      createdAt: row.event_at,
      triggers: event.triggers,
    },
    message: row.message_id === null ? undefined : messageOf(row, row.message_id),
  };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function messageOf(row: Row, messageId: string): NonNullable<Release['message']> {
  return {
    messageId,
    receivedAt: row.received_at,
    receiveSlotId: row.receive_slot_id,
    receiveSlotKind: row.receive_slot_kind,
    content: { body: decoder.decode(row.body) },
    metadata: { requestUrl: row.request_url, headers: row.headers },
  };
}

interface Row {
  space_id: string;
  waiting_trigger_id: string;
  scope_id: string;
  trigger_id: string;
  cause: Release['cause'];
  mute_schedule_id: string | null;
  due_at: string;
  trigger_values: Record<string, unknown>;
  event_at: string;
  event: {
    event_id: string;
    scope_id: string;
    severity_name: string;
    delta: number;
    previous_severity: number;
    severity: number;
    status_before: EventRow['statusBefore'];
    status: EventRow['status'];
    source: EventRow['source'];
    rule_id: string | null;
    message_id: string | null;
    triggers: EventRow['triggers'];
  };
  message_id: string | null;
  received_at: string;
  receive_slot_id: string;
  receive_slot_kind: string;
  request_url: string;
  headers: Record<string, string>;
  body: Buffer;
}
