// What a batch needs from the database is asked for at once, not answer by answer.
import { compileConfig } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { expect, test } from 'vitest';
import { evaluateMessages } from '../../src/alerthub/pipeline/evaluate-batch.ts';
import { ManualClock } from '../../src/common/clock.ts';
import type { Queryable } from '../../src/db/database.ts';

const createdAt = '2025-12-31T00:00:00.000Z';
const config = compileConfig({
  space: { displayName: 'Operations' },
  scopes: [
    {
      scopeId: 'scope',
      displayName: 'Scope',
      remarks: '',
      thresholds: { warning: 1, incident: 10 },
      recoveryTime: null,
      attributes: [],
    },
  ],
  rules: [
    {
      ruleId: 'rule',
      displayName: 'Rule',
      receiveSlotId: 'slot',
      disabled: false,
      createdAt,
      flow: { steps: [] },
      eventParams: [{ scopeId: 'scope', severityName: { literal: 'default' }, delta: 1 }],
      conditionalEventParams: [],
    },
  ],
  triggers: [
    {
      triggerId: 'trigger',
      scopeId: 'scope',
      displayName: 'Trigger',
      remarks: '',
      disabled: false,
      createdAt,
      conditions: [
        {
          conditionId: 'recent-events',
          params: {
            ...{ seconds: 60, value: 'delta', comparison: 'ge', number: 1 },
            ...{ countComparison: 'ge', count: 2 },
          },
        },
        { conditionId: 'recent-actions', params: { seconds: 60, countComparison: 'eq', count: 0 } },
      ],
      relatedMessageFilters: [],
      flow: { steps: [] },
      target: { kind: 'action', id: 'action' },
    },
  ],
  actions: [],
});

test('severities, past events and past actions are asked for together', async () => {
  const asked: string[] = [];
  let answerAll = () => {};
  const allAsked = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  const db: Queryable = {
    async query(statement) {
      asked.push(typeof statement === 'string' ? statement : String(statement.name));
      if (asked.length === 3) answerAll();
      await allAsked;
      return { rows: [], rowCount: 0 };
    },
  };
  const message = {
    messageId: 'message',
    receivedAt: createdAt,
    receiveSlotId: 'slot',
    receiveSlotKind: 'webhook',
    content: { body: '' },
    metadata: {},
  };
  const deps = {
    clock: new ManualClock(),
    nextId: () => 'id',
    config: { of: async () => config },
  };
  const { result } = await evaluateMessages(deps, db, 'space', { seqs: [], messages: [message] }, true);
  expect(asked.sort()).toEqual(['past-actions', 'past-events', 'severities-of']);
  expect(result.events).toHaveLength(1);
});
