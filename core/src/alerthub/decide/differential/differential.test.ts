// The engine against its reference, over random worlds.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileConfig } from '../config.ts';
import { type DecideMessage, decideBatch } from '../decide.ts';
import type { History } from '../history.ts';
import { reference } from './reference.ts';
import { now, nowMs, rowsOf, type World, world } from './world.ts';

/** The same log as the reference writes, the state carried from batch to batch. */
function engine(made: World, batchSize: number): string[] {
  const log: string[] = [];
  const config = compileConfig(rowsOf(made));
  const state = new Map(
    Object.entries(made.state).map(([scopeId, own]) => [scopeId, new Map(Object.entries(own))]),
  );
  const events = made.past.map((past) => ({ ...past }));
  const acted = made.acted.map(({ trigger, at }) => ({ triggerId: `t${trigger}`, at }));
  const history: History = {
    eventsOf: (scopeId, since) => events.filter((past) => past.scopeId === scopeId && past.at >= since),
    actionsOf: (triggerId, since) => acted.filter((act) => act.triggerId === triggerId && act.at >= since),
  };
  let last = 0;
  const nextId = (): string => {
    last += 1;
    return String(last);
  };
  const messages = made.messages.map(
    ({ slot, body: data }, index): DecideMessage => ({
      messageId: String(index),
      receiveSlotId: slot,
      receiveSlotKind: 'webhook',
      receivedAt: now,
      content: { body: JSON.stringify(data) },
      metadata: {},
    }),
  );
  for (let start = 0; start < messages.length; start += batchSize) {
    const result = decideBatch({
      config,
      state,
      history,
      now,
      nextId,
      messages: messages.slice(start, start + batchSize),
    });
    for (const event of result.events) {
      const {
        scopeId,
        severityName: name,
        delta: change,
        previousSeverity,
        severity,
        statusBefore,
        status,
      } = event;
      log.push(
        `event ${scopeId} ${name} ${change} ${previousSeverity} ${severity} ${statusBefore} ${status}`,
      );
      for (const trigger of event.triggers) {
        if (trigger.outcome === 'disabled') continue;
        const firing = result.firings.find((one) => one.actionRecordId === trigger.actionRecordId);
        const sent = firing ? ` ${(firing.request as { body: string }).body}` : '';
        log.push(`${trigger.outcome} ${trigger.triggerId}${sent}`);
      }
      events.push({
        scopeId,
        at: nowMs,
        delta: change,
        before: previousSeverity,
        latest: severity,
        severityName: name,
      });
    }
    for (const { triggerId } of result.firings) acted.push({ triggerId: triggerId!, at: nowMs });
    for (const { scopeId, name, value: stored } of result.severities) {
      const own = state.get(scopeId) ?? new Map<string, number>();
      state.set(scopeId, own.set(name, stored));
    }
  }
  for (const [scopeId, own] of [...state].sort()) {
    for (const [name, one] of [...own].sort()) log.push(`value ${scopeId} ${name} ${one}`);
  }
  return log;
}

it('decides as the reference does, in one batch or in many', { timeout: 60_000 }, () => {
  let firings = 0;
  fc.assert(
    fc.property(world, fc.integer({ min: 1, max: 12 }), (made, batchSize) => {
      const expected = reference(made);
      firings += expected.filter((line) => line.startsWith('fired')).length;
      expect(engine(made, batchSize)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
  // A generator that never fires would compare nothing.
  expect(firings).toBeGreaterThan(500);
});
