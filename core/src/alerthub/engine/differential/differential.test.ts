// Compares the engine with its reference implementation over random scenarios.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TriggerDecision } from '../../decision-log.ts';
import type { ReceivedMessage } from '../data/flow-data.ts';
import { compileConfig } from '../evaluation/compile-config.ts';
import type { BatchResult, EventRow, WaitingTrigger } from '../execution/batch.ts';
import { decideBatch } from '../execution/decide-batch.ts';
import { decideDueTriggers } from '../execution/decide-due-triggers.ts';
import type { History } from '../state/event-history.ts';
import { runReferenceEngine } from './reference-engine.ts';
import { nowMs, type Scenario, scenario, scopeIds, toConfigRows } from './scenario.ts';

/** Runs the engine in batches, carrying the state over, and returns the log in the reference's format. */
function engine(scenarioData: Scenario, batchSize: number): string[] {
  const log: string[] = [];
  const config = compileConfig(toConfigRows(scenarioData));
  const state = new Map(
    Object.entries(scenarioData.state).map(([scopeId, own]) => [scopeId, new Map(Object.entries(own))]),
  );
  const contributions = new Map(scopeIds.map((scopeId) => [scopeId, new Map<string, Map<string, number>>()]));
  const events = scenarioData.past.map((past) => ({ ...past }));
  const acted = scenarioData.acted.map(({ trigger, at }) => ({ triggerId: `t${trigger}`, at }));
  const history: History = {
    eventsOf: (scopeId, since) => events.filter((past) => past.scopeId === scopeId && past.at >= since),
    actionsOf: (triggerId, since) => acted.filter((act) => act.triggerId === triggerId && act.at >= since),
  };
  let last = 0;
  const nextId = (): string => {
    last += 1;
    return String(last);
  };
  let nowIs = nowMs;
  const isoNow = () => new Date(nowIs).toISOString();
  const rows = new Map<string, EventRow>();
  let waiting: WaitingTrigger[] = [];
  const tell = (result: BatchResult, when: string, { triggerId, outcome, ...made }: TriggerDecision) => {
    const firing = result.firings.find((one) => one.actionRecordId === made.actionRecordId);
    log.push(
      `${when}${outcome} ${triggerId}${firing ? ` ${(firing.request as { body: string }).body}` : ''}`,
    );
  };
  const keep = (result: BatchResult) => {
    waiting = [
      ...waiting.filter((one) => !result.released.includes(one.waitingTriggerId)),
      ...result.waiting,
    ];
    for (const { triggerId } of result.firings) acted.push({ triggerId: triggerId!, at: nowIs });
    for (const { scopeId, name, value: stored } of result.severities) {
      const own = state.get(scopeId) ?? new Map<string, number>();
      state.set(scopeId, own.set(name, stored));
    }
    for (const { scopeId, name, fingerprint, value } of result.contributions) {
      const own = contributions.get(scopeId as (typeof scopeIds)[number])!;
      const shares = own.get(name) ?? new Map<string, number>();
      if (value > 0) own.set(name, shares.set(fingerprint, value));
      else shares.delete(fingerprint);
    }
    for (const { eventId, triggers } of result.updatedEvents) rows.get(eventId)!.triggers = triggers;
  };
  /** Evaluates everything that is due by then. */
  const passTo = (then: number) => {
    while (true) {
      const due = waiting.map((one) => Date.parse(one.dueAt)).filter((at) => at <= then);
      if (due.length === 0) break;
      nowIs = Math.min(...due);
      const dueTriggers = waiting
        .filter((one) => Date.parse(one.dueAt) === nowIs)
        .map((one) => ({ ...one, event: structuredClone(rows.get(one.eventId)!), message: undefined }));
      const result = decideDueTriggers({
        config,
        state,
        contributions,
        history,
        now: isoNow(),
        nextId,
        dueTriggers,
      });
      keep(result);
      for (const { eventId, triggerId } of dueTriggers) {
        const decision = rows.get(eventId)!.triggers.find((one) => one.triggerId === triggerId)!;
        tell(result, 'late ', decision);
      }
    }
    nowIs = then;
  };
  const messages = scenarioData.messages.map(
    ({ slot, body: data }, index): ReceivedMessage => ({
      messageId: String(index),
      receiveSlotId: slot,
      receiveSlotKind: 'webhook',
      receivedAt: isoNow(),
      content: { body: JSON.stringify(data) },
      metadata: {},
    }),
  );
  for (let start = 0; start < messages.length; ) {
    passTo(nowIs + scenarioData.messages[start]!.gap * 1000);
    let end = start + 1;
    while (end < messages.length && end < start + batchSize && scenarioData.messages[end]!.gap === 0)
      end += 1;
    const batch = messages.slice(start, end);
    const input = { config, state, contributions, history, now: isoNow(), nextId, messages: batch };
    const result = decideBatch(input);
    start = end;
    for (const event of result.events) {
      const { scopeId, severityName: name, delta: change, previousSeverity, severity } = event;
      const statuses = `${event.statusBefore} ${event.status}`;
      log.push(`event ${scopeId} ${name} ${change} ${previousSeverity} ${severity} ${statuses}`);
      rows.set(event.eventId, event);
      for (const trigger of event.triggers) {
        if (trigger.outcome !== 'disabled') tell(result, '', trigger);
      }
      const past = { delta: change, before: previousSeverity, latest: severity, severityName: name };
      events.push({ scopeId, at: nowIs, ...past });
    }
    keep(result);
  }
  passTo(nowIs + 1_000_000);
  for (const [scopeId, own] of [...state].sort()) {
    for (const [name, one] of [...own].sort()) log.push(`value ${scopeId} ${name} ${one}`);
  }
  return log;
}

it('decides as the reference does, in one batch or in many', { timeout: 60_000 }, () => {
  let firings = 0;
  let late = 0;
  fc.assert(
    fc.property(scenario, fc.integer({ min: 1, max: 12 }), (scenarioData, batchSize) => {
      const expected = runReferenceEngine(scenarioData);
      firings += expected.filter((line) => line.startsWith('fired')).length;
      late += expected.filter((line) => line.startsWith('late fired')).length;
      expect(engine(scenarioData, batchSize)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
  // A generator that never fires would make the comparison meaningless.
  expect(firings).toBeGreaterThan(300);
  expect(late).toBeGreaterThan(20);
});
