// What a batch needs from the database is asked for at once, not answer by answer.
import { type CompiledConfig, compileConfig } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { expect, test } from 'vitest';
import { evaluateDueRunbooks, evaluateMessages } from '../../src/alerthub/pipeline/evaluate-batch.ts';
import { ManualClock } from '../../src/common/clock.ts';
import type { Queryable } from '../../src/db/database.ts';

const createdAt = '2025-12-31T00:00:00.000Z';
const message = {
  messageId: 'message',
  receivedAt: createdAt,
  receiveSlotId: 'slot',
  receiveSlotKind: 'webhook',
  content: { body: '' },
  metadata: {},
};
const rows = {
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
};
const depsOf = (config: CompiledConfig) => ({
  clock: new ManualClock(),
  nextId: () => 'id',
  config: { of: async () => config },
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
  const { result } = await evaluateMessages(
    depsOf(compileConfig(rows)),
    db,
    'space',
    { seqs: [], messages: [message] },
    true,
  );
  expect(asked.sort()).toEqual(['past-actions', 'past-events', 'severities-of']);
  expect(result.events).toHaveLength(1);
});

test.each([
  ['in the batch of its message', true, ['succeeded']],
  ['in a turn of its own where the batch may not begin it', false, []],
] as const)('a runbook starts %s', async (_when, begins, statuses) => {
  const config = compileConfig({
    ...rows,
    runbooks: [{ runbookId: 'runbook', displayName: 'Runbook', startStepId: null, steps: [] }],
    slotRunbooks: [{ receiveSlotId: 'slot', runbookId: 'runbook' }],
  });
  const db: Queryable = { query: async () => ({ rows: [], rowCount: 0 }) };
  const waiting = { seqs: ['1'], messages: [message] };
  const { progress, result } = await evaluateMessages(depsOf(config), db, 'space', waiting, begins);
  expect(progress.map(({ status }) => status)).toEqual(statuses);
  expect(result.runbookStarts).toHaveLength(1);
});

test.each([
  ['a full turn may leave', 1, true],
  ['a turn that is not full does not leave', 2, false],
])('%s due runbook records for another turn', async (_when, size, hasMore) => {
  const record = {
    ...{ space_id: 'space', runbook_record_id: 'record', runbook_id: 'runbook', display_name: 'Runbook' },
    ...{ flow: '{"startStepId":null,"steps":[]}', context: {}, depth: 0, at_step: null, waits_for: null },
    ...{ requested_at: createdAt, size: '0', message_id: null, action_attempts: null },
  };
  const db: Queryable = {
    async query(statement) {
      const isDue = typeof statement === 'object' && statement.name === 'due-runbooks';
      return { rows: isDue ? [record as never] : [], rowCount: 0 };
    },
  };
  const due = await evaluateDueRunbooks(depsOf(compileConfig(rows)), db, size, () => {});
  expect(due!.batch.progress).toMatchObject([{ runbookRecordId: 'record', status: 'succeeded' }]);
  expect(due!.hasMore).toBe(hasMore);
});
