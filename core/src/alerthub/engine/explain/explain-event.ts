// Renders the explanation of one event as sentences, shared by the console and the CLI.
import type { Translate } from '../../../i18n/translator.ts';
import type { EventExplanation } from '../../decision-log.ts';
import type { EventAcknowledgement, EventCause } from '../../event.ts';
import type { DecisionReasonKey } from '../errors/decision-reason.ts';
import { addElement, addEvent, addRule, type ExplainLine, LineBuilder } from './explain-decisions.ts';

/** Lines of an explanation: the cause, the event, and what it caused. */
export function explainEvent(explanation: EventExplanation, t: Translate): ExplainLine[] {
  const lines = new LineBuilder(t);
  const { message, rule, event, deliveries } = explanation;
  addCause(lines, explanation);
  if (message) {
    const params = { slot: message.receiveSlotName ?? message.receiveSlotId };
    const link = { resource: 'message', id: message.messageId };
    lines.add(1, 'neutral', 'why.line.received', params, { at: message.receivedAt, link });
  }
  if (rule) {
    addRule(lines, rule);
    for (const element of rule.elements ?? []) addElement(lines, element);
  }
  addEvent(
    lines,
    1,
    event,
    deliveries && new Map(deliveries.map((delivery) => [delivery.actionRecordId, delivery])),
  );
  for (const acknowledgement of explanation.acknowledgements) addAcknowledgement(lines, acknowledgement);
  return lines.all;
}

function addAcknowledgement(
  lines: LineBuilder,
  { name, note, userId, keyInput, resultId, acknowledgedAt: at }: EventAcknowledgement,
): void {
  if (resultId !== null) {
    const link = { resource: 'result', id: resultId };
    lines.add(1, 'success', 'why.line.acknowledged.phone', { name, key: keyInput }, { at, link });
    return;
  }
  const key = note === '' ? 'why.line.acknowledged' : 'why.line.acknowledged.note';
  const link = userId === null ? undefined : { resource: 'user', id: userId };
  lines.add(1, 'success', key, { name, note }, link ? { at, link } : { at });
}

function addCause(lines: LineBuilder, { source, cause, event, createdAt }: EventExplanation): void {
  const at = createdAt;
  if (source === 'rule') {
    const link = event.ruleId === null ? undefined : { resource: 'rule', id: event.ruleId };
    lines.add(0, 'neutral', 'why.line.cause.rule', {}, link ? { at, link } : { at });
    return;
  }
  if (!cause) {
    lines.add(0, 'neutral', unrecordedCauses[source], {}, { at });
    return;
  }
  switch (cause.kind) {
    case 'recovery': {
      const link = { resource: 'scope', id: event.scopeId };
      lines.add(0, 'neutral', 'why.line.cause.recovery', { seconds: cause.recoveryTime }, { at, link });
      return;
    }
    case 'runbook': {
      const link = { resource: 'runbook-record', id: cause.runbookRecordId };
      const params = { runbook: cause.runbookName, step: cause.stepName };
      lines.add(0, 'neutral', 'why.line.cause.runbook', params, { at, link });
      return;
    }
    default: {
      // API tokens have no page of their own.
      const link = { resource: 'user', id: cause.userId };
      const key = callerCauses[cause.kind][source === 'reset' ? 'reset' : 'api'];
      lines.add(0, 'neutral', key, { name: cause.name }, { at, link });
    }
  }
}

const callerCauses: Record<
  Extract<EventCause, { userId: string }>['kind'],
  Record<'api' | 'reset', DecisionReasonKey>
> = {
  person: { api: 'why.line.cause.person', reset: 'why.line.cause.person.reset' },
  'api-token': { api: 'why.line.cause.token', reset: 'why.line.cause.token.reset' },
};

/** For events raised before causes were recorded. */
const unrecordedCauses: Record<Exclude<EventExplanation['source'], 'rule'>, DecisionReasonKey> = {
  api: 'why.line.cause.unrecorded.api',
  reset: 'why.line.cause.unrecorded.reset',
  recovery: 'why.line.cause.unrecorded.recovery',
  runbook: 'why.line.cause.unrecorded.runbook',
};
