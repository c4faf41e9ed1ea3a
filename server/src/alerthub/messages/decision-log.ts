// Collects the decision log of one message (matched rules, raised events, evaluated triggers, deliveries), and
// the part of it that explains one event.
import type {
  DecisionLog,
  DeliveryDecision,
  EventDecision,
  EventExplanation,
  RuleDecision,
} from '@yagura/core/alerthub/decision-log';
import type { Queryable } from '../../db/database.ts';

const selectHead = `select m.received_at, m.receive_slot_id, s.body->>'displayName' as slot_name, d.evaluated_at,
    d.rules, d.notes, t.place as repeated_address, t.received_at as repeated_at
  from message m
  left join message_repeat t using (message_id)
  left join decision d using (message_id)
  left join resource s on s.space_id = m.space_id and s.kind = 'receive-slot' and s.id = m.receive_slot_id`;

const eventColumns = `e.event_id, e.scope_id, e.severity_name, e.delta, e.previous_severity, e.severity,
  e.status_before, e.status, e.rule_id, e.triggers, s.body->>'displayName' as scope_name`;

const eventSource = `event e
  left join resource s on s.space_id = e.space_id and s.kind = 'scope' and s.id = e.scope_id`;

const selectRecords = `select a.action_record_id, a.action_id, a.kind, a.status, a.delivery_id, a.attempts,
    a.next_attempt_at, a.result_id, s.body->>'displayName' as action_name
  from action_record a
  left join resource s on s.space_id = a.space_id and s.kind = 'action' and s.id = a.action_id`;

export async function loadDecisionLog(
  db: Queryable,
  spaceId: string,
  messageId: string,
): Promise<DecisionLog> {
  const head = await db.query<HeadRow>(`${selectHead} where m.space_id = $1 and m.message_id = $2`, [
    spaceId,
    messageId,
  ]);
  const events = await db.query<EventRow>(
    `select ${eventColumns} from ${eventSource}
     where e.space_id = $1 and e.message_id = $2 order by e.event_id`,
    [spaceId, messageId],
  );
  const records = await db.query<RecordRow>(
    `${selectRecords} where a.space_id = $1 and a.message_id = $2 order by a.action_record_id`,
    [spaceId, messageId],
  );
  const row = head.rows[0]!;
  return {
    messageId,
    receivedAt: row.received_at,
    receiveSlotId: row.receive_slot_id,
    receiveSlotName: row.slot_name,
    evaluatedAt: row.evaluated_at,
    repeated:
      row.repeated_address && row.repeated_at ? { address: row.repeated_address, at: row.repeated_at } : null,
    notes: row.notes ?? [],
    rules: row.rules ?? [],
    events: events.rows.map(eventDecision),
    deliveries: records.rows.map(deliveryDecision),
  };
}

/** What the caller may read besides the event. */
interface ExplanationAccess {
  messages: boolean;
  actionRecords: boolean;
}

/** Why an event was raised and what it caused; undefined if there is no such event. */
export async function loadEventExplanation(
  db: Queryable,
  spaceId: string,
  eventId: string,
  may: ExplanationAccess,
): Promise<EventExplanation | undefined> {
  const { rows } = await db.query<ExplainedEventRow>(
    `select ${eventColumns}, e.created_at, e.source, e.cause, e.message_id, e.acknowledgements from ${eventSource}
     where e.space_id = $1 and e.event_id = $2`,
    [spaceId, eventId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const event = eventDecision(row);
  const { message, rule } =
    may.messages && row.message_id !== null
      ? await loadOrigin(db, spaceId, row.message_id, event)
      : { message: null, rule: null };
  return {
    event,
    createdAt: row.created_at,
    source: row.source,
    cause: row.cause,
    message,
    rule,
    acknowledgements: row.acknowledgements,
    deliveries: may.actionRecords ? await loadEventDeliveries(db, spaceId, event) : null,
  };
}

async function loadOrigin(
  db: Queryable,
  spaceId: string,
  messageId: string,
  { ruleId, eventId }: EventDecision,
): Promise<Pick<EventExplanation, 'message' | 'rule'>> {
  const { rows } = await db.query<HeadRow>(`${selectHead} where m.space_id = $1 and m.message_id = $2`, [
    spaceId,
    messageId,
  ]);
  const head = rows[0];
  if (!head) return { message: null, rule: null };
  const rule = (head.rules ?? []).find((decision) => decision.ruleId === ruleId);
  const ownElements = rule?.elements?.filter(({ eventIds }) => eventIds.includes(eventId));
  return {
    message: {
      messageId,
      receivedAt: head.received_at,
      receiveSlotId: head.receive_slot_id,
      receiveSlotName: head.slot_name,
    },
    rule: rule ? { ...rule, ...(ownElements ? { elements: ownElements } : {}) } : null,
  };
}

/** The actions that the triggers of an event ran. */
async function loadEventDeliveries(
  db: Queryable,
  spaceId: string,
  { triggers }: EventDecision,
): Promise<DeliveryDecision[]> {
  const ids = triggers.flatMap(({ actionRecordId }) => (actionRecordId === null ? [] : [actionRecordId]));
  if (ids.length === 0) return [];
  const { rows } = await db.query<RecordRow>(
    `${selectRecords} where a.space_id = $1 and a.action_record_id = any($2::uuid[]) order by a.action_record_id`,
    [spaceId, ids],
  );
  return rows.map(deliveryDecision);
}

function eventDecision(row: EventRow): EventDecision {
  return {
    eventId: row.event_id,
    scopeId: row.scope_id,
    scopeName: row.scope_name,
    severityName: row.severity_name,
    delta: row.delta,
    previousSeverity: row.previous_severity,
    severity: row.severity,
    statusBefore: row.status_before,
    statusAfter: row.status,
    ruleId: row.rule_id,
    triggers: row.triggers,
  };
}

function deliveryDecision(row: RecordRow): DeliveryDecision {
  return {
    actionRecordId: row.action_record_id,
    actionId: row.action_id,
    actionName: row.action_name,
    kind: row.kind,
    status: row.status,
    deliveryId: row.delivery_id,
    resultId: row.result_id,
    attempts: row.attempts.map(({ startedAt, outcome, reason }) => ({ startedAt, outcome, reason })),
    nextAttemptAt: row.next_attempt_at,
  };
}

interface HeadRow {
  received_at: string;
  receive_slot_id: string;
  slot_name: string | null;
  evaluated_at: string | null;
  repeated_address: NonNullable<DecisionLog['repeated']>['address'] | null;
  repeated_at: string | null;
  rules: RuleDecision[] | null;
  notes: DecisionLog['notes'] | null;
}

interface EventRow {
  event_id: string;
  scope_id: string;
  scope_name: string | null;
  severity_name: string;
  delta: number;
  previous_severity: number;
  severity: number;
  status_before: EventDecision['statusBefore'];
  status: EventDecision['statusAfter'];
  rule_id: string | null;
  triggers: EventDecision['triggers'];
}

interface ExplainedEventRow extends EventRow {
  created_at: string;
  source: EventExplanation['source'];
  cause: EventExplanation['cause'];
  acknowledgements: EventExplanation['acknowledgements'];
  message_id: string | null;
}

interface RecordRow {
  action_record_id: string;
  action_id: string;
  action_name: string | null;
  kind: string;
  status: DeliveryDecision['status'];
  delivery_id: string;
  attempts: DeliveryDecision['attempts'];
  next_attempt_at: string | null;
  result_id: string | null;
}
