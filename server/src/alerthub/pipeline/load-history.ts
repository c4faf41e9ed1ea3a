// Loads the history that evaluation needs: current severities, and the events and actions counted by
// conditions.

import { messageView } from '@yagura/core/alerthub/engine/data/flow-data';
import { type CompiledConfig, requiredHistory } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { maxRelatedMessages } from '@yagura/core/alerthub/engine/execution/related-messages';
import type { History, PastEvent, PastMessage } from '@yagura/core/alerthub/engine/state/event-history';
import { isoTime } from '../../common/clock.ts';
import { clockToleranceMs } from '../../common/time/clock-tolerance.ts';
import type { Queryable } from '../../db/database.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';

/** Bytes; a larger message is not passed as the related message of another event. */
const maxRelatedBytes = 65_536;
/** Maximum events of a scope that a condition can count. */
const maxHistory = 10_000;

/** Severities of these scopes by scope and name, least recently changed first. */
export async function loadSeverities(
  db: Queryable,
  scopeIds: ReadonlySet<string>,
): Promise<Map<string, Map<string, number>>> {
  const state = new Map<string, Map<string, number>>();
  if (scopeIds.size === 0) return state;
  const { rows } = await db.query<{ scope_id: string; name: string; value: number }>(
    {
      name: 'severities-of',
      text: 'select scope_id, name, value from severity where scope_id = any($1::uuid[]) order by updated_at',
    },
    [[...scopeIds]],
  );
  for (const { scope_id, name, value } of rows) {
    const values = state.get(scope_id) ?? new Map<string, number>();
    values.set(name, value);
    state.set(scope_id, values);
  }
  return state;
}

/** Contributions to the severities of these scopes; each scope has an entry. */
export async function loadContributions(
  db: Queryable,
  scopeIds: ReadonlySet<string>,
  /** Only those unchanged since this time. */
  unchangedSince?: string,
): Promise<Map<string, Map<string, Map<string, number>>>> {
  const state = new Map([...scopeIds].map((scopeId) => [scopeId, new Map<string, Map<string, number>>()]));
  if (scopeIds.size === 0) return state;
  const { rows } = await db.query<{ scope_id: string; name: string; fingerprint: string; value: number }>(
    {
      name: 'contributions-of',
      text: `select scope_id, name, fingerprint, value from severity_fingerprint
             where scope_id = any($1::uuid[]) and updated_at < coalesce($2::timestamptz, 'infinity')`,
    },
    [[...scopeIds], unchangedSince ?? null],
  );
  for (const { scope_id, name, fingerprint, value } of rows) {
    const ofScope = state.get(scope_id)!;
    ofScope.set(name, (ofScope.get(name) ?? new Map<string, number>()).set(fingerprint, value));
  }
  return state;
}

/** Loads the events, actions and related messages that conditions of these scopes refer to. */
export async function loadHistory(
  db: Queryable,
  config: CompiledConfig,
  scopeIds: Iterable<string>,
  now: string,
  /** Time of the oldest event to evaluate, ISO 8601. */
  oldest: string = now,
) {
  const needs = requiredHistory(config, scopeIds);
  const nowMs = Date.parse(now);
  // What is stored with a time still to come was stored while the clock was ahead: it would count until then.
  const until = isoTime(nowMs + clockToleranceMs);
  const [events, actions, { messages, incomplete }] = await Promise.all([
    loadPastEvents(db, needs.eventSeconds, nowMs, until),
    loadPastActions(db, needs.actionSeconds, nowMs, until),
    loadPastMessages(db, needs.messageSeconds, Date.parse(oldest), until),
  ]);
  return {
    messagesOf: (scopeId: string) => messages.get(scopeId) ?? [],
    leavesOutMessages: (scopeId: string) => incomplete.has(scopeId),
    eventsOf: (scopeId: string) => events.get(scopeId) ?? [],
    actionsOf: (triggerId: string) => actions.get(triggerId) ?? [],
  };
}

/** Seconds to look back, by scope or trigger. */
type LookBack = ReadonlyMap<string, number>;

async function loadPastEvents(
  db: Queryable,
  lookBack: LookBack,
  nowMs: number,
  until: string,
): Promise<Map<string, PastEvent[]>> {
  const events = new Map<string, PastEvent[]>();
  for (const [scopeId, seconds] of lookBack) {
    const { rows } = await db.query<{
      at: string;
      delta: number;
      before: number;
      latest: number;
      name: string;
    }>(
      {
        name: 'past-events',
        text: `select created_at as at, delta, previous_severity as before, severity as latest, severity_name as name
               from event where scope_id = $1 and created_at > $2 and created_at <= $3
               order by created_at desc, event_id desc limit ${maxHistory}`,
      },
      [scopeId, isoTime(nowMs - seconds * 1000), until],
    );
    events.set(
      scopeId,
      rows.map(({ at, name, ...row }) => ({ ...row, at: Date.parse(at), severityName: name })),
    );
  }
  return events;
}

async function loadPastActions(
  db: Queryable,
  lookBack: LookBack,
  nowMs: number,
  until: string,
): Promise<Map<string, { at: number }[]>> {
  const actions = new Map<string, { at: number }[]>();
  for (const [triggerId, seconds] of lookBack) {
    const { rows } = await db.query<{ at: string }>(
      {
        name: 'past-actions',
        text: `select created_at as at from action_record where trigger_id = $1 and created_at > $2 and created_at <= $3
               union all select requested_at from runbook_record where trigger_id = $1 and requested_at > $2 and requested_at <= $3
               order by at desc limit ${maxHistory}`,
      },
      [triggerId, isoTime(nowMs - seconds * 1000), until],
    );
    actions.set(
      triggerId,
      rows.map((row) => ({ at: Date.parse(row.at) })),
    );
  }
  return actions;
}

/** Also returns the scopes of which some messages are too many or too large to be passed. */
async function loadPastMessages(
  db: Queryable,
  lookBack: LookBack,
  oldestMs: number,
  until: string,
): Promise<{ messages: Map<string, PastMessage[]>; incomplete: Set<string> }> {
  const messages = new Map<string, PastMessage[]>();
  const incomplete = new Set<string>();
  for (const [scopeId, seconds] of lookBack) {
    const since = isoTime(oldestMs - seconds * 1000);
    const { rows } = await db.query<PastMessageRow>(
      {
        name: 'past-messages',
        text: `select e.created_at as at, e.delta, e.previous_severity as before, e.severity as latest, e.severity_name as name,
                 ${messageColumns}
               from event e join message m on m.message_id = e.message_id
               where e.scope_id = $1 and e.created_at > $2 and e.created_at <= $3 and m.size <= ${maxRelatedBytes}
               order by e.created_at desc, e.event_id desc limit ${maxRelatedMessages + 1}`,
      },
      [scopeId, since, until],
    );
    if (rows.length > maxRelatedMessages || (await hasLargeMessages(db, scopeId, since, until)))
      incomplete.add(scopeId);
    messages.set(
      scopeId,
      rows.reverse().map(({ at, delta, before, latest, name, ...row }) => ({
        ...{ at: Date.parse(at), delta, before, latest, severityName: name },
        messageId: row.message_id,
        view: messageView(toMessage(row)),
      })),
    );
  }
  return { messages, incomplete };
}

async function hasLargeMessages(
  db: Queryable,
  scopeId: string,
  since: string,
  until: string,
): Promise<boolean> {
  const { rows } = await db.query(
    {
      name: 'past-large-message',
      text: `select 1 from event e join message m on m.message_id = e.message_id
             where e.scope_id = $1 and e.created_at > $2 and e.created_at <= $3 and m.size > ${maxRelatedBytes} limit 1`,
    },
    [scopeId, since, until],
  );
  return rows.length > 0;
}

/** For conditions that look at nothing that was stored before. */
export const noHistory: History = { messagesOf: () => [], eventsOf: () => [], actionsOf: () => [] };

/** Wraps a history so that further scopes can be added while it is in use. */
export function mergeHistories(first: History): History & { add(other: History): void } {
  const parts = [first];
  return {
    add: (other) => void parts.push(other),
    messagesOf: (scopeId, since) => parts.flatMap((part) => part.messagesOf?.(scopeId, since) ?? []),
    leavesOutMessages: (scopeId) => parts.some((part) => part.leavesOutMessages?.(scopeId) ?? false),
    eventsOf: (scopeId, since) => parts.flatMap((part) => part.eventsOf(scopeId, since)),
    actionsOf: (triggerId, since) => parts.flatMap((part) => part.actionsOf(triggerId, since)),
  };
}

type PastMessageRow = MessageRow & {
  message_id: string;
  at: string;
  delta: number;
  before: number;
  latest: number;
  name: string;
};
