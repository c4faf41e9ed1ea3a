// Renders the decision log as sentences, shared by the API, the console and the CLI.
import { dataKey } from '../../../i18n/message-key.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type {
  ActiveMute,
  DecisionLog,
  DeliveryDecision,
  ElementDecision,
  EventDecision,
  Reason,
  RuleDecision,
  StepDecision,
  TriggerDecision,
} from '../../decision-log.ts';
import { type DecisionReasonKey, formatReason } from '../errors/decision-reason.ts';
import { findOperator } from '../operators/operators.ts';
import { countOutcomes } from './count-outcomes.ts';

export type ExplainTone = 'neutral' | 'success' | 'warning' | 'danger';

export interface ExplainLine {
  /** Nesting depth; 0 for the message. */
  depth: number;
  tone: ExplainTone;
  text: string;
  /** ISO 8601; formatted by the client. */
  at?: string;
  /** The item that the line refers to. */
  link?: { resource: string; id: string; scopeId?: string };
}

type LineExtras = Pick<ExplainLine, 'at' | 'link'>;

const repeatWords = {
  primary: 'why.line.repeated.primary',
  secondary: 'why.line.repeated.secondary',
} as const;

/** Lines of a decision log, outermost first. */
export function explainDecisions(log: DecisionLog, t: Translate): ExplainLine[] {
  const lines = new LineBuilder(t);
  const slot = log.receiveSlotName ?? log.receiveSlotId;
  lines.add(
    0,
    'neutral',
    'why.line.received',
    { slot },
    {
      at: log.receivedAt,
      link: { resource: 'receive-slot', id: log.receiveSlotId },
    },
  );
  if (log.repeated) lines.add(1, 'neutral', repeatWords[log.repeated.address], {}, { at: log.repeated.at });
  if (log.evaluatedAt === null) lines.add(1, 'neutral', 'why.line.waiting');
  for (const note of log.notes)
    lines.note(1, note.word === 'why.message.runbook' ? 'success' : 'warning', note);
  const remainingEvents = new Set(log.events);
  const unlistedDeliveries = new Map(log.deliveries.map((delivery) => [delivery.actionRecordId, delivery]));
  for (const rule of log.rules) {
    addRule(lines, rule);
    const events = log.events.filter(
      (event) => event.ruleId === rule.ruleId && remainingEvents.delete(event),
    );
    const eventsById = new Map(events.map((event) => [event.eventId, event]));
    for (const element of rule.elements ?? []) {
      addElement(lines, element);
      for (const eventId of element.eventIds) {
        const event = eventsById.get(eventId);
        if (event) addEvent(lines, 3, event, unlistedDeliveries);
        eventsById.delete(eventId);
      }
    }
    for (const event of eventsById.values()) addEvent(lines, 2, event, unlistedDeliveries);
  }
  for (const event of remainingEvents) addEvent(lines, 1, event, unlistedDeliveries);
  for (const delivery of unlistedDeliveries.values()) addDelivery(lines, 1, delivery);
  return lines.all;
}

export class LineBuilder {
  readonly all: ExplainLine[] = [];
  readonly t: Translate;

  constructor(t: Translate) {
    this.t = t;
  }

  add(
    depth: number,
    tone: ExplainTone,
    messageKey: DecisionReasonKey,
    params: Record<string, unknown> = {},
    more: LineExtras = {},
  ): void {
    this.all.push({ depth, tone, text: this.t(messageKey, params), ...more });
  }

  note(depth: number, tone: ExplainTone, note: Reason): void {
    this.all.push({ depth, tone, text: formatReason(note, this.t) });
  }

  seen(value: string | null): string {
    return value === null ? this.t('why.nothing') : this.t('why.seen', { value });
  }
}

const ruleLines: Record<RuleDecision['outcome'], [ExplainTone, DecisionReasonKey]> = {
  matched: ['success', 'why.line.rule.matched'],
  unmatched: ['neutral', 'why.line.rule.unmatched'],
  failed: ['danger', 'why.line.rule.failed'],
  disabled: ['neutral', 'why.line.rule.disabled'],
};

export function addRule(lines: LineBuilder, rule: RuleDecision): void {
  const [tone, messageKey] = ruleLines[rule.outcome];
  lines.add(1, tone, messageKey, { rule: rule.displayName }, { link: { resource: 'rule', id: rule.ruleId } });
  for (const [index, step] of rule.steps.entries()) addStep(lines, 2, step, index + 1);
  if (rule.elements && rule.elements.length > 0)
    lines.add(2, 'neutral', 'why.line.rule.elements', countOutcomes(rule.elements));
  for (const note of rule.notes) lines.note(2, noteTone(rule.outcome, note), note);
}

/** Notes that report nothing wrong. */
const plainNotes: ReadonlySet<string> = new Set<DecisionReasonKey>([
  'why.event.already',
  'why.event.alreadyFingerprint',
  'why.event.fingerprint',
  'why.event.nothingToLower',
  'why.event.scopeCreated',
]);

function noteTone(outcome: RuleDecision['outcome'], note: Reason): ExplainTone {
  if (outcome === 'failed') return 'danger';
  return plainNotes.has(note.word) ? 'neutral' : 'warning';
}

const elementLines: Record<ElementDecision['outcome'], [ExplainTone, DecisionReasonKey]> = {
  matched: ['success', 'why.line.element.matched'],
  unmatched: ['neutral', 'why.line.element.unmatched'],
  failed: ['danger', 'why.line.element.failed'],
};

export function addElement(lines: LineBuilder, { index, text, outcome, step, notes }: ElementDecision): void {
  const [tone, messageKey] = elementLines[outcome];
  lines.add(2, tone, messageKey, { number: index + 1, seen: lines.seen(text) });
  if (step) addStep(lines, 3, step, step.number);
  for (const note of notes) lines.note(3, noteTone(outcome, note), note);
}

const stepTones = { passed: 'success', stopped: 'neutral', failed: 'danger' } as const;

function addStep(lines: LineBuilder, depth: number, step: StepDecision, number: number): void {
  const operator = lines.t(dataKey(`operator.${step.operatorId}`));
  const seen = lines.seen(step.seen);
  const because = formatReason(step.reason, lines.t, { seen });
  lines.add(depth, stepTones[step.outcome], stepMessageKey(step), { number, operator, seen, because });
}

/** The reason of a test is its expectation; the reason of a transform or a failure is the result. */
function stepMessageKey(step: StepDecision): DecisionReasonKey {
  if (step.outcome === 'failed') return 'why.line.step.failed';
  const passed = step.outcome === 'passed';
  if (findOperator(step.operatorId)?.kind === 'transform') {
    return passed ? 'why.line.step.ran' : 'why.line.step.stopped';
  }
  return passed ? 'why.line.step.held' : 'why.line.step.heldNot';
}

/** `unlistedDeliveries` is null if deliveries are not to be shown. */
export function addEvent(
  lines: LineBuilder,
  depth: number,
  event: EventDecision,
  unlistedDeliveries: Map<string, DeliveryDecision> | null,
): void {
  const { scopeId, eventId } = event;
  const tone = { normal: 'success', warning: 'warning', incident: 'danger' } as const;
  const params = {
    scope: event.scopeName ?? scopeId,
    severity: event.severityName,
    delta: event.delta > 0 ? `+${event.delta}` : String(event.delta),
    before: event.previousSeverity,
    latest: event.severity,
    statusBefore: lines.t(`why.status.${event.statusBefore}`),
    statusAfter: lines.t(`why.status.${event.statusAfter}`),
  };
  const messageKey =
    event.statusBefore === event.statusAfter ? 'why.line.event.same' : 'why.line.event.changed';
  lines.add(depth, tone[event.statusAfter], messageKey, params, {
    link: { resource: 'event', id: eventId, scopeId },
  });
  if (event.triggers.length === 0)
    lines.add(depth + 1, 'neutral', 'why.line.noTrigger', { scope: params.scope });
  for (const trigger of event.triggers) addTrigger(lines, depth + 1, trigger, scopeId, unlistedDeliveries);
}

const triggerLines: Record<TriggerDecision['outcome'], [ExplainTone, DecisionReasonKey]> = {
  fired: ['success', 'why.line.trigger.fired'],
  held: ['neutral', 'why.line.trigger.held'],
  failed: ['danger', 'why.line.trigger.failed'],
  disabled: ['neutral', 'why.line.trigger.disabled'],
  muted: ['warning', 'why.line.trigger.muted'],
  waiting: ['neutral', 'why.line.trigger.waiting'],
};

function addTrigger(
  lines: LineBuilder,
  depth: number,
  trigger: TriggerDecision,
  scopeId: string,
  unlistedDeliveries: Map<string, DeliveryDecision> | null,
): void {
  const [tone, messageKey] = triggerLines[trigger.outcome];
  const link = { resource: 'trigger', id: trigger.triggerId, scopeId };
  lines.add(depth, tone, messageKey, { trigger: trigger.displayName }, { link });
  if (trigger.outcome === 'fired' && trigger.conditions.length === 0) {
    lines.add(depth + 1, 'neutral', 'why.line.noCondition');
  }
  for (const condition of trigger.conditions) addCondition(lines, depth + 1, trigger, condition);
  addMutes(lines, depth + 1, trigger.mutes ?? []);
  if (trigger.releasedAt)
    lines.add(depth + 1, 'neutral', 'why.line.mute.ended', {}, { at: trigger.releasedAt });
  for (const note of trigger.notes)
    lines.note(depth + 1, trigger.outcome === 'failed' ? 'danger' : 'warning', note);
  if (trigger.runbookRecordId) {
    const link = { resource: 'runbook-record', id: trigger.runbookRecordId };
    lines.add(depth + 1, 'success', 'why.line.runbook', {}, { link });
  }
  if (trigger.actionRecordId === null || !unlistedDeliveries) return;
  const delivery = unlistedDeliveries.get(trigger.actionRecordId);
  if (!delivery) {
    lines.add(depth + 1, 'neutral', 'why.line.deliveryGone');
    return;
  }
  unlistedDeliveries.delete(trigger.actionRecordId);
  addDelivery(lines, depth + 1, delivery);
}

function addMutes(lines: LineBuilder, depth: number, mutes: readonly ActiveMute[]): void {
  let fires = false;
  for (const { displayName: mute, atEnd, until, overrules } of mutes) {
    // A trigger that is kept for the end of a schedule also waits for the end of a silent one.
    const silent = fires ? 'why.line.mute.longer' : 'why.line.mute.silent';
    lines.add(depth, 'warning', atEnd === 'fire' ? 'why.line.mute.fire' : silent, { mute }, { at: until });
    for (const other of overrules ?? [])
      lines.add(depth, 'neutral', 'why.line.mute.overrules', { mute, other });
    fires ||= atEnd === 'fire';
  }
}

function addCondition(
  lines: LineBuilder,
  depth: number,
  trigger: TriggerDecision,
  decision: TriggerDecision['conditions'][number],
): void {
  const isStatus = decision.conditionId.startsWith('scope-status') && decision.seen !== null;
  const seen = lines.seen(isStatus ? lines.t(dataKey(`why.status.${decision.seen}`)) : decision.seen);
  const because = formatReason(decision.reason, lines.t, { seen });
  const condition = lines.t(dataKey(`condition.${decision.conditionId}`));
  if (decision.dueAt) {
    const said = trigger.outcome === 'waiting' ? 'why.line.condition.due' : 'why.line.condition.notAsked';
    const at = trigger.outcome === 'waiting' ? { at: decision.dueAt } : {};
    lines.add(depth, 'neutral', said, { condition, because }, at);
    return;
  }
  const messageKey: DecisionReasonKey = decision.holds
    ? 'why.line.condition.held'
    : 'why.line.condition.heldNot';
  const tone = decision.holds ? 'success' : 'neutral';
  lines.add(
    depth,
    tone,
    messageKey,
    { condition, because, seen },
    decision.askedAt ? { at: decision.askedAt } : {},
  );
}

const deliveryLines: Record<DeliveryDecision['status'], [ExplainTone, DecisionReasonKey]> = {
  waiting: ['neutral', 'why.line.delivery.waiting'],
  processing: ['neutral', 'why.line.delivery.processing'],
  succeeded: ['success', 'why.line.delivery.succeeded'],
  failed: ['danger', 'why.line.delivery.failed'],
};

function addDelivery(lines: LineBuilder, depth: number, delivery: DeliveryDecision): void {
  const [tone, messageKey] = deliveryLines[delivery.status];
  const action = delivery.actionName ?? delivery.actionId;
  const link = { resource: 'action-record', id: delivery.actionRecordId };
  lines.add(depth, tone, messageKey, { action, deliveryId: delivery.deliveryId }, { link });
  for (const [index, attempt] of delivery.attempts.entries()) {
    const because = formatReason(attempt.reason, lines.t);
    const tried = attempt.outcome === 'succeeded' ? 'success' : 'danger';
    lines.add(
      depth + 1,
      tried,
      'why.line.attempt',
      { number: index + 1, because },
      { at: attempt.startedAt },
    );
  }
  if (delivery.resultId !== null) {
    const result = { resource: 'result', id: delivery.resultId };
    lines.add(depth + 1, 'neutral', 'why.line.calls', {}, { link: result });
  }
  if (delivery.nextAttemptAt !== null && delivery.attempts.length > 0) {
    lines.add(depth + 1, 'warning', 'why.line.nextAttempt', {}, { at: delivery.nextAttemptAt });
  }
}
